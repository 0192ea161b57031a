import { useState } from 'react'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { Said } from '../text/said.tsx'
import { Download } from './download.tsx'
import styles from './result.module.css'

/** How much is put on the page at once; the rest is a click away. */
const pieceLength = 100_000

/** A text of any length: all of it can be reached, and none of it makes the page stand still. */
export function LongText({ text, label }: { readonly text: string; readonly label: string }) {
  const [shown, setShown] = useState(pieceLength)
  const left = text.length - shown
  const size = `${text.length.toLocaleString('en')} characters`
  return (
    <div>
      <ScrollArea label={label} className={styles.text}>
        <code>
          <Said text={text.slice(0, shown)} />
        </code>
      </ScrollArea>
      <div className={styles.tools}>
        {left > 0 && (
          <>
            <span>
              {shown.toLocaleString('en')} of {size} are shown
            </span>
            <Button size="s" onClick={() => setShown(shown + pieceLength)}>
              Show more
            </Button>
          </>
        )}
        <CopyButton text={text} label={`Copy ${label}`} />
        {text.length > 2_000 && <Download text={text} label={label} />}
      </div>
    </div>
  )
}
