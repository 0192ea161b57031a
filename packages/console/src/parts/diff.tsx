import type { DiffLine } from '@trunkline/base/line-diff'
import { lineDiff } from '../text/line-diff.ts'
import { Said } from '../text/said.tsx'
import { type LinePiece, linePieces } from '../text/word-diff.ts'
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

/** Lines that were compared already, with the words that changed marked. */
export function DiffLines({ lines, label }: { readonly lines: readonly DiffLine[]; readonly label: string }) {
  const pieces = linePieces(lines)
  return (
    <ScrollArea className={styles.lines} label={label}>
      {lines.map(({ kind }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
        <div key={index} className={`${styles.line} ${styles[kind]}`}>
          <span className={styles.sign} aria-hidden="true">
            {signs[kind]}
          </span>
          <span className="visually-hidden">{words[kind]}</span>
          {pieces[index]?.map((piece, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity
            <Piece key={at} piece={piece} />
          ))}
        </div>
      ))}
    </ScrollArea>
  )
}

function Piece({ piece: { text, isChanged } }: { readonly piece: LinePiece }) {
  if (!isChanged) return <Said text={text} />
  return (
    <span className={styles.changed}>
      <Said text={text} />
    </span>
  )
}
