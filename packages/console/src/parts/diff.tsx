import type { DiffLine } from '@trunkline/base/line-diff'
import { lineDiff } from '../text/line-diff.ts'
import { Said } from '../text/said.tsx'
import styles from './diff.module.css'
import { ScrollArea } from './scroll-area.tsx'

const signs = { same: ' ', added: '+', removed: '−' } as const
const words = { same: '', added: 'added: ', removed: 'removed: ' } as const

export interface DiffProps {
  readonly before: string
  readonly after: string
  readonly label: string
}

/** Two texts as one, with what was removed and what was added. */
export function Diff({ before, after, label }: DiffProps) {
  return <DiffLines lines={lineDiff(before, after)} label={label} />
}

/** Lines that were compared already. */
export function DiffLines({ lines, label }: { readonly lines: readonly DiffLine[]; readonly label: string }) {
  return (
    <ScrollArea className={styles.lines} label={label}>
      {lines.map(({ kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
        <div key={index} className={`${styles.line} ${styles[kind]}`}>
          <span className={styles.sign} aria-hidden="true">
            {signs[kind]}
          </span>
          <span className="visually-hidden">{words[kind]}</span>
          <Said text={text} />
        </div>
      ))}
    </ScrollArea>
  )
}
