import type { RouteAnswer } from '@trunkline/host/page-api'
import { type ActRow, outcomeOf } from '../../host/acts.ts'
import { stateWord } from '../../parts/server-health.ts'
import { plural } from '../../text/plural.ts'
import { duration } from '../../text/relative-time.ts'
import { Said } from '../../text/said.tsx'
import type { StateSpan } from './state-spans.ts'
import styles from './waterfall.module.css'
import { placeIn, type TimeWindow } from './waterfall-lanes.ts'

type WireSpan = RouteAnswer<'timeline'>['spans'][number]

export interface ActLaneProps {
  readonly row: ActRow
  readonly spans: readonly WireSpan[]
  readonly window: TimeWindow
  readonly isChosen: boolean
  onChoose(act: string): void
}

/** One act as a bar, with what it waited for inside it. */
export function ActLane({ row, spans, window, isChosen, onChoose }: ActLaneProps) {
  const { act, at, to, target, waits } = row
  const rounds = spans.filter(({ kind }) => kind === 'round')
  const inner = [
    ...spans.filter(({ hop, kind }) => hop === 'server' && kind !== 'http'),
    ...(rounds.length > 1 ? rounds : []),
  ]
  return (
    <button
      type="button"
      className={`${styles.lane} ${isChosen ? styles.chosen : ''}`}
      onClick={() => act !== undefined && onChoose(act)}
    >
      <span className={styles.name}>
        <Said text={target} oneLine /> <span className={styles.faint}>{inWords(row, spans)}</span>
      </span>
      <span className={styles.track} aria-hidden="true">
        <span className={`${styles.bar} ${styles[bars[outcomeOf(row)]]}`} style={placeIn(window, at, to)} />
        {waits.map((wait) => (
          <span
            key={wait.from}
            className={`${styles.bar} ${styles.person}`}
            style={placeIn(window, wait.from, wait.to)}
          />
        ))}
        {inner.map(({ kind, from, to: end }, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: spans only ever come at the end
            key={index}
            className={`${styles.bar} ${styles.inner} ${styles[kind]}`}
            // an unanswered request ended with the act
            style={placeIn(window, from, end ?? to)}
          />
        ))}
      </span>
    </button>
  )
}

const bars = { ok: 'act', running: 'act', waiting: 'person', decided: 'decided', failed: 'failed' } as const

/** The times in which a server was not there. */
export function ServerLane({ spans, window }: { readonly spans: readonly StateSpan[]; readonly window: TimeWindow }) {
  const starts = spans.filter(({ state }) => state === 'starting').length
  const others = spans.filter(({ state }) => state !== 'starting').map(({ state }) => stateWord(state))
  const words = [starts > 0 ? plural(starts, 'start') : '', ...new Set(others)].filter(Boolean).join(', ')
  return (
    <div className={styles.lane}>
      <span className={styles.name}>
        <span className={styles.faint}>{words}</span>
      </span>
      <span className={styles.track}>
        {spans.map(({ state, why, from, to }) => (
          <span
            key={from}
            className={`${styles.bar} ${styles.server}`}
            style={placeIn(window, from, to)}
            title={`${stateWord(state)}: ${why}`}
          />
        ))}
      </span>
    </div>
  )
}

/** Description of the bar for screen readers. */
function inWords({ ms, outcome, waits }: ActRow, spans: readonly WireSpan[]): string {
  const count = (kind: WireSpan['kind']) => spans.filter((span) => span.kind === kind).length
  const waited = waits.reduce((sum, { from, to }) => sum + to - from, 0)
  const rounds = count('round')
  return [
    ms === undefined ? outcome : `${duration(ms)}${outcome === 'ok' ? '' : `, ${outcome}`}`,
    waited > 0 ? `${duration(waited)} of it for a person` : '',
    rounds > 1 ? plural(rounds, 'round') : '',
    count('retry') > 0 ? plural(count('retry'), 'retry', 'retries') : '',
    count('question') > 0 ? plural(count('question'), 'question') : '',
  ]
    .filter(Boolean)
    .join(', ')
}
