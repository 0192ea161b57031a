import { Said } from '../text/said.tsx'
import styles from './code.module.css'
import { CopyButton } from './copy-button.tsx'
import { ScrollArea } from './scroll-area.tsx'

export interface CodeProps {
  readonly text: string
  /** Accessible name. */
  readonly label: string
  /** @default true */
  readonly canCopy?: boolean
}

/** Text in which every character counts. */
export function Code({ text, label, canCopy = true }: CodeProps) {
  return (
    <div className={styles.code}>
      <ScrollArea label={label} className={styles.scroll}>
        <pre className={styles.text}>
          <Said text={text} />
        </pre>
      </ScrollArea>
      {canCopy && <CopyButton text={text} label={`Copy ${label}`} />}
    </div>
  )
}
