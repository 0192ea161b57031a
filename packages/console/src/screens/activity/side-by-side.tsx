import diffStyles from '../../parts/diff.module.css'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { LongText } from '../../result/long-text.tsx'
import { prettyJson } from '../../text/json.ts'
import { lineDiff } from '../../text/line-diff.ts'
import { Said } from '../../text/said.tsx'
import styles from './wire.module.css'

/** More than this is not compared line by line. */
const maxCompared = 60_000

export interface Side {
  readonly title: string
  readonly value: unknown
}

/** Two values beside each other, with the lines marked that only one of them has. */
export function SideBySide({ left, right }: { readonly left: Side; readonly right: Side }) {
  const [one, other] = [textOf(left), textOf(right)]
  const isCompared = left.value !== undefined && right.value !== undefined
  if (!isCompared || one.length + other.length > maxCompared) {
    return (
      <div className={styles.sides}>
        <Whole side={left} text={one} />
        <Whole side={right} text={other} />
      </div>
    )
  }
  const lines = lineDiff(one, other)
  const changes = lines.filter(({ kind }) => kind !== 'same').length
  return (
    <div className={styles.sides}>
      <Lines title={left.title} lines={lines.filter(({ kind }) => kind !== 'added')} changes={changes} />
      <Lines title={right.title} lines={lines.filter(({ kind }) => kind !== 'removed')} changes={changes} />
    </div>
  )
}

function textOf({ value }: Side): string {
  return value === undefined ? '' : prettyJson(value)
}

function Whole({ side: { title, value }, text }: { readonly side: Side; readonly text: string }) {
  return (
    <div className={styles.side}>
      <h4>{title}</h4>
      {value === undefined ? <p className={styles.nothing}>Nothing</p> : <LongText text={text} label={title} />}
    </div>
  )
}

interface LinesProps {
  readonly title: string
  readonly lines: ReturnType<typeof lineDiff>
  readonly changes: number
}

function Lines({ title, lines, changes }: LinesProps) {
  return (
    <div className={styles.side}>
      <h4>{title}</h4>
      <ScrollArea className={diffStyles.lines} label={`${title}${changes === 0 ? ', unchanged' : ''}`}>
        {lines.map(({ kind, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
          <div key={index} className={kind === 'same' ? styles.line : styles.changed}>
            {kind !== 'same' && <span className="visually-hidden">changed: </span>}
            <Said text={text} />
          </div>
        ))}
      </ScrollArea>
    </div>
  )
}
