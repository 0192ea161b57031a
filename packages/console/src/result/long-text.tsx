import { useState } from 'react'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { Said } from '../text/said.tsx'
import { Download } from './download.tsx'
import styles from './result.module.css'

/** How much is put on the page at once; every other part is a click away. */
const partLength = 100_000

/** A text of any length: all of it can be reached, and none of it makes the page stand still. */
export function LongText({ text, label }: { readonly text: string; readonly label: string }) {
  const [part, setPart] = useState(0)
  const parts = Math.max(1, Math.ceil(text.length / partLength))
  const at = Math.min(part, parts - 1)
  const [from, to] = [boundary(text, at * partLength), boundary(text, (at + 1) * partLength)]
  return (
    <div>
      <ScrollArea key={at} label={label} className={styles.text}>
        <code>
          <Said text={text.slice(from, to)} />
        </code>
      </ScrollArea>
      <div className={styles.tools}>
        {parts > 1 && (
          <>
            <span role="status">
              Characters {(from + 1).toLocaleString('en')} to {to.toLocaleString('en')} of{' '}
              {text.length.toLocaleString('en')}
            </span>
            <Button size="s" disabled={at === 0} onClick={() => setPart(0)}>
              First
            </Button>
            <Button size="s" disabled={at === 0} onClick={() => setPart(at - 1)}>
              Previous
            </Button>
            <Button size="s" disabled={at === parts - 1} onClick={() => setPart(at + 1)}>
              Next
            </Button>
            <Button size="s" disabled={at === parts - 1} onClick={() => setPart(parts - 1)}>
              Last
            </Button>
          </>
        )}
        <CopyButton text={text} label={`Copy ${label}`} />
        {text.length > 2_000 && <Download text={text} label={label} />}
      </div>
    </div>
  )
}

/** A place near this one that does not lie within a character. */
function boundary(text: string, at: number): number {
  if (at >= text.length) return text.length
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}
