import { useQuery } from '@tanstack/react-query'
import { memo, useEffect, useRef, useState } from 'react'
import { type LogLine, logQuery } from '../../host/queries.ts'
import { maxLogLines } from '../../host/server-logs.ts'
import { Button } from '../../parts/button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { formatNumber } from '../../text/number.ts'
import { plural } from '../../text/plural.ts'
import { clockTime } from '../../text/relative-time.ts'
import { Said } from '../../text/said.tsx'
import styles from './servers.module.css'

/** Lines on the page at first; the others are a click away. */
const shownAtFirst = 200
const nearEnd = 40

/** Live stderr of a server. */
export function ServerLog({ name }: { readonly name: string }) {
  const { data } = useQuery(logQuery(name))
  const { items, dropped } = data ?? { items: [], dropped: 0 }
  const [isWhole, setWhole] = useState(false)
  const from = isWhole ? 0 : Math.max(0, items.length - shownAtFirst)
  return (
    <Panel
      title="What it wrote to stderr"
      actions={
        from > 0 && (
          <Button size="s" onClick={() => setWhole(true)}>
            Show {plural(from, 'earlier line')}
          </Button>
        )
      }
    >
      {items.length === 0 && <p className={styles.unused}>Nothing yet.</p>}
      {dropped > 0 && (
        <p className={styles.unused} role="status">
          {plural(dropped, 'older line is', 'older lines are')} gone: the last {formatNumber(maxLogLines)} are kept.
        </p>
      )}
      {items.length > 0 && <Lines name={name} lines={items.slice(from)} first={dropped + from} />}
    </Panel>
  )
}

interface LinesProps {
  readonly name: string
  readonly lines: readonly LogLine[]
  /** Number of lines dropped before these, which keeps each in its place when older ones go. */
  readonly first: number
}

/** Lines that follow their end, until the person scrolls up to read. */
function Lines({ name, lines, first }: LinesProps) {
  const place = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const last = lines.at(-1)
  useEffect(() => {
    const shown = place.current
    if (shown && last && follows.current) shown.scrollTop = shown.scrollHeight
  }, [last])
  const onScroll = () => {
    const shown = place.current
    if (shown) follows.current = shown.scrollHeight - shown.scrollTop - shown.clientHeight < nearEnd
  }
  return (
    <div
      ref={place}
      className={styles.log}
      role="log"
      aria-label={`stderr of ${name}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      onScroll={onScroll}
    >
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: with what went before it is the number of the line
        <Line key={first + index} line={line} />
      ))}
    </div>
  )
}

const Line = memo(({ line: { at, text } }: { readonly line: LogLine }) => (
  <div>
    <span className={styles.at}>{clockTime(at)}</span>
    <Said text={text} />
  </div>
))
