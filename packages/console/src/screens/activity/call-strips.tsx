import { useQuery } from '@tanstack/react-query'
import { type PointerEvent, useMemo, useRef, useState } from 'react'
import type { ActFilter } from '../../host/acts.ts'
import type { ChainedLine } from '../../host/queries.ts'
import { routeQuery } from '../../host/queries.ts'
import { callCounts } from '../../parts/call-counts.ts'
import { useEverySecond } from '../../parts/use-every-second.ts'
import { formatNumber } from '../../text/number.ts'
import { plural } from '../../text/plural.ts'
import { duration } from '../../text/relative-time.ts'
import styles from './call-strips.module.css'
import { rangeInWords, type TimeRange } from './time-range.ts'

/** Figures of calls in equal steps of a range. */
interface Figures {
  readonly from: number
  readonly to: number
  readonly calls: readonly number[]
  readonly failed: readonly number[]
  readonly p50: readonly (number | null)[]
  readonly p95: readonly (number | null)[]
  readonly all: ReturnType<typeof callCounts>['all']
  readonly isWhole: boolean
  readonly when: string
}

export interface CallStripsProps {
  readonly lines: readonly ChainedLine[]
  readonly filter: ActFilter
  onPick(range: TimeRange): void
}

/** Calls, failures and durations of the shown time, each a strip of 40 px; a part of the time is picked by dragging. */
export function CallStrips({ lines, filter, onPick }: CallStripsProps) {
  const live = useLiveFigures(lines, filter)
  const past = usePastFigures(filter)
  const figures = past ?? live
  const { all, calls, failed, p50, p95, isWhole } = figures
  return (
    <figure className={styles.figure}>
      <div className={styles.strips} role="img" aria-label={figuresInWords(figures)}>
        <Strip title="calls" value={formatNumber(all.calls)} values={calls} figures={figures} onPick={onPick} />
        <Strip
          title="failed"
          tone={all.failed > 0 ? 'failed' : 'none'}
          value={formatNumber(all.failed)}
          values={failed}
          figures={figures}
          onPick={onPick}
        />
        <Strip title="p50" value={inMs(all.p50)} values={p50} figures={figures} onPick={onPick} />
        <Strip title="p95" tone="slow" value={inMs(all.p95)} values={p95} figures={figures} onPick={onPick} />
      </div>
      <figcaption className={styles.words}>
        {figuresInWords(figures)}
        {!isWhole && '. There are more calls than are counted at once: choose a shorter time'}
      </figcaption>
    </figure>
  )
}

function useLiveFigures(lines: readonly ChainedLine[], { server, client }: ActFilter): Figures {
  const { value, now } = useEverySecond(lines)
  return useMemo(() => {
    const counted = value.filter(
      ({ line }) => (server === '' || line.server === server) && (client === '' || line.principal === client),
    )
    const { calls, failed, usual: p50, slow: p95, minutes, all } = callCounts(counted, now)
    const when = `in the last ${minutes} minutes`
    return { from: now - minutes * 60_000, to: now, calls, failed, p50, p95, all, isWhole: true, when }
  }, [value, now, server, client])
}

/** Figures of the chosen range, from the host; undefined while the list is live. */
function usePastFigures({ from, to, server, client }: ActFilter): Figures | undefined {
  const isPast = from !== undefined || to !== undefined
  // a range without an end goes to the moment in which it was chosen
  // biome-ignore lint/correctness/useExhaustiveDependencies: another beginning is another choice
  const until = useMemo(() => to ?? Date.now(), [from, to])
  const since = from ?? until - 86_400_000
  const { data } = useQuery({
    ...routeQuery('callStatistics', {
      since,
      until: Math.max(since + 1, until),
      ...(server !== '' && { server }),
      ...(client !== '' && { principal: client }),
    }),
    enabled: isPast,
    placeholderData: (before) => before,
  })
  if (!isPast || !data) return undefined
  const { calls, failed, p50, p95, all, isWhole } = data
  const when = `from ${rangeInWords(since, until, Date.now())}`
  return { from: since, to: until, calls, failed, p50, p95, all, isWhole, when }
}

function figuresInWords({ all: { calls, failed, p50, p95 }, when }: Figures): string {
  if (calls === 0) return `No calls ${when}`
  const times = p50 === null ? '' : `, p50 ${inMs(p50)}, p95 ${inMs(p95)} without waits for a person`
  return `${plural(calls, 'call')} ${when}, ${formatNumber(failed)} failed${times}`
}

function inMs(ms: number | null): string {
  return ms === null ? '–' : duration(ms)
}

const [width, height] = [240, 40]

/** The values as bars; one that is not nothing is always seen. */
function barsOf(values: readonly (number | null)[]): string {
  const most = Math.max(1, ...values.map((one) => one ?? 0))
  const step = width / values.length
  return values
    .map((value, index) => {
      if (value === null || value === 0) return ''
      const top = height - Math.max(2, (value / most) * (height - 2))
      return `M${(index * step).toFixed(1)},${height}V${top.toFixed(1)}h${(step - 1).toFixed(1)}V${height}z`
    })
    .join('')
}

interface StripProps {
  readonly title: string
  readonly value: string
  readonly values: readonly (number | null)[]
  readonly figures: Figures
  readonly tone?: 'calls' | 'failed' | 'slow' | 'none'
  onPick(range: TimeRange): void
}

/** A click that moves less than this part of the strip picks nothing. */
const minPart = 0.02

function Strip({ title, value, values, figures: { from, to }, tone = 'calls', onPick }: StripProps) {
  const [picked, setPicked] = useState<readonly [number, number]>()
  const begun = useRef<number>(undefined)
  const partAt = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const { left, width: wide } = currentTarget.getBoundingClientRect()
    return Math.min(1, Math.max(0, (clientX - left) / wide))
  }
  const timeAt = (part: number) => Math.round(from + part * (to - from))
  return (
    <div className={styles.strip}>
      <div className={styles.label}>
        <span>{title}</span> <strong className={styles[tone]}>{value}</strong>
      </div>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className={`${styles.bars} ${styles[tone]}`}
        aria-hidden="true"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          begun.current = partAt(event)
        }}
        onPointerMove={(event) => {
          if (begun.current === undefined) return
          const now = partAt(event)
          setPicked([Math.min(begun.current, now), Math.max(begun.current, now)])
        }}
        onPointerUp={() => {
          begun.current = undefined
          setPicked(undefined)
          if (picked && picked[1] - picked[0] >= minPart) onPick({ from: timeAt(picked[0]), to: timeAt(picked[1]) })
        }}
        onPointerCancel={() => {
          begun.current = undefined
          setPicked(undefined)
        }}
      >
        <rect x={0} y={height - 1} width={width} height={1} className={styles.ground} />
        <path d={barsOf(values)} />
        {picked && (
          <rect
            x={picked[0] * width}
            y={0}
            width={(picked[1] - picked[0]) * width}
            height={height}
            className={styles.picked}
          />
        )}
      </svg>
    </div>
  )
}
