import { useQuery } from '@tanstack/react-query'
import { memo, useEffect, useMemo, useRef, useState } from 'react'
import { logQuery } from '../../host/queries.ts'
import { maxLogLines } from '../../host/server-logs.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { formatNumber } from '../../text/number.ts'
import { plural } from '../../text/plural.ts'
import { clockTime } from '../../text/relative-time.ts'
import { Said } from '../../text/said.tsx'
import { type LogSeverity, lineText, passesFilter, type ShownLine, shownLine } from './log-line.ts'
import styles from './servers.module.css'

/** Lines on the page at first; the others are a click away. */
const shownAtFirst = 200
const nearEnd = 40

/** Live log of a server: stderr, log messages and notes of the host, by severity and by words. */
export function ServerLog({ name }: { readonly name: string }) {
  const { data } = useQuery(logQuery(name))
  const { items, dropped } = data ?? { items: [], dropped: 0 }
  const [isWhole, setWhole] = useState(false)
  const [least, setLeast] = useState<LogSeverity>('debug')
  const [words, setWords] = useState('')
  const all = useMemo(() => items.map(shownLine), [items])
  const wanted = useMemo(() => all.filter((line) => passesFilter(line, least, words)), [all, least, words])
  const from = isWhole ? 0 : Math.max(0, wanted.length - shownAtFirst)
  const save = () => saveFile(`${name}.log`, `${wanted.map(lineText).join('\n')}\n`)
  return (
    <Panel
      title="Log"
      actions={
        <Button size="s" disabled={wanted.length === 0} onClick={save}>
          Download
        </Button>
      }
    >
      {items.length === 0 && <p className={styles.unused}>Nothing yet: no stderr, and no log messages.</p>}
      {items.length > 0 && (
        <div className={styles.filters}>
          <input
            type="search"
            aria-label="Search the log"
            placeholder="Search"
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
          <select aria-label="Severity" value={least} onChange={({ target }) => setLeast(target.value as LogSeverity)}>
            <option value="debug">Everything</option>
            <option value="info">Info and graver</option>
            <option value="warning">Warnings and errors</option>
            <option value="error">Errors</option>
          </select>
          {wanted.length < items.length && (
            <span className={styles.unused} role="status">
              {formatNumber(wanted.length)} of {plural(items.length, 'line')}
            </span>
          )}
          {from > 0 && (
            <Button size="s" onClick={() => setWhole(true)}>
              Show {plural(from, 'earlier line')}
            </Button>
          )}
        </div>
      )}
      {dropped > 0 && (
        <p className={styles.unused} role="status">
          {plural(dropped, 'older line is', 'older lines are')} gone: the last {formatNumber(maxLogLines)} are kept.
        </p>
      )}
      {wanted.length > 0 && <Lines name={name} lines={wanted.slice(from)} />}
    </Panel>
  )
}

interface LinesProps {
  readonly name: string
  readonly lines: readonly ShownLine[]
}

/** Lines that follow their end, until the person scrolls up to read. */
function Lines({ name, lines }: LinesProps) {
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
      aria-label={`Log of ${name}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      onScroll={onScroll}
    >
      {lines.map((line) => (
        <Line key={line.number} line={line} />
      ))}
    </div>
  )
}

const tones: { readonly [Name in LogSeverity]: 'bad' | 'warn' | 'plain' } = {
  error: 'bad',
  warning: 'warn',
  info: 'plain',
  debug: 'plain',
}

const Line = memo(({ line: { at, from, severity, text } }: { readonly line: ShownLine }) => (
  <div>
    <span className={styles.at}>{clockTime(at)}</span>
    {from !== 'stderr' && <span className={styles.at}>{from}</span>}
    {severity !== undefined && severity !== 'debug' && (
      <>
        <Badge tone={tones[severity]}>{severity}</Badge>{' '}
      </>
    )}
    <Said text={text} />
  </div>
))
