import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { ActRow } from '../../host/acts.ts'
import { callHost } from '../../host/call.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { useEverySecond } from '../../parts/use-every-second.ts'
import { plural } from '../../text/plural.ts'
import { clockTime } from '../../text/relative-time.ts'
import { Said } from '../../text/said.tsx'
import { stateSpans } from './state-spans.ts'
import styles from './waterfall.module.css'
import { ActLane, ServerLane } from './waterfall-lane.tsx'
import { lanesOf, type TimeWindow } from './waterfall-lanes.ts'

export interface WaterfallProps {
  readonly rows: readonly ActRow[]
  readonly chosen: string | undefined
  /** Time of the pause; missing while the picture is live. */
  readonly pausedAt: number | undefined
  onChoose(act: string): void
}

const spans = [
  { minutes: 1, label: '1 minute' },
  { minutes: 5, label: '5 minutes' },
  { minutes: 30, label: '30 minutes' },
] as const

/** Acts over time, server by server, with what each waited for. */
export function Waterfall({ rows, chosen, pausedAt, onChoose }: WaterfallProps) {
  const [wished, setMinutes] = useState<number>()
  const { value: newest, now } = useEverySecond(rows)
  const minutes = wished ?? fitting(newest, now)
  const window: TimeWindow = useMemo(() => {
    const to = pausedAt ?? now
    return { from: to - minutes * 60_000, to }
  }, [minutes, now, pausedAt])
  const { data, error } = useQuery({
    queryKey: ['timeline', minutes, pausedAt],
    queryFn: ({ signal }) => callHost('timeline', { since: (pausedAt ?? Date.now()) - minutes * 60_000 }, { signal }),
    refetchInterval: pausedAt === undefined ? 1_000 : false,
  })
  const states = useMemo(() => stateSpans(data?.states ?? []), [data])
  const { servers, left } = useMemo(
    () => lanesOf(pausedAt === undefined ? newest : rows, states, window),
    [newest, rows, states, window, pausedAt],
  )
  return (
    <section className={styles.waterfall} aria-label="Waterfall">
      <header className={styles.head}>
        <ul className={styles.legend} aria-label="Colours">
          {(['act', 'person', 'request', 'question', 'retry', 'round', 'server'] as const).map((kind) => (
            <li key={kind}>
              <span className={`${styles.key} ${styles[kind]}`} aria-hidden="true" /> {words[kind]}
            </li>
          ))}
        </ul>
        <select
          aria-label="How far back"
          className={styles.span}
          value={minutes}
          onChange={({ target }) => setMinutes(Number(target.value))}
        >
          {spans.map((span) => (
            <option key={span.minutes} value={span.minutes}>
              {span.label}
            </option>
          ))}
        </select>
      </header>
      <Failure error={error} />
      <div className={styles.ticks} aria-hidden="true">
        {[0, 1, 2, 3].map((part) => (
          <span key={part}>{clockTime(window.from + (part / 4) * (window.to - window.from))}</span>
        ))}
      </div>
      {servers.length === 0 && <Empty title="Nothing happened in this time" />}
      <div className={styles.lanes}>
        {servers.map(({ server, acts, states: own }) => (
          <div key={server}>
            <h2 className={styles.server}>
              <Said text={server} oneLine />
            </h2>
            {own.length > 0 && <ServerLane spans={own} window={window} />}
            {acts.map((row) => (
              <ActLane
                key={row.key}
                row={row}
                spans={data?.spans.filter(({ act }) => act === row.act) ?? []}
                window={window}
                isChosen={row.act === chosen}
                onChoose={onChoose}
              />
            ))}
          </div>
        ))}
      </div>
      {left > 0 && <p className={styles.left}>{plural(left, 'older call is', 'older calls are')} not drawn.</p>}
    </section>
  )
}

/** The shortest span in which all of it fits. */
function fitting(rows: readonly ActRow[], now: number): number {
  const oldest = Math.min(now, ...rows.filter(({ act }) => act !== undefined).map(({ at }) => at))
  const span = spans.find((one) => oldest >= now - one.minutes * 60_000) ?? spans[spans.length - 1]
  return span?.minutes ?? 30
}

const words = {
  act: 'call',
  person: 'waits for a person',
  request: 'request to the server',
  question: 'question of the server',
  retry: 'retry',
  round: 'round of the client',
  server: 'server not there',
} as const
