import type { ChainedLine } from '../host/queries.ts'
import styles from './call-curves.module.css'

const minutes = 60
const minuteMs = 60_000
const [width, height] = [600, 56]

/** Calls, failures and their duration in the last hour, as curves. */
export function CallCurves({ lines }: { readonly lines: readonly ChainedLine[] }) {
  const { calls, failed, slowest } = countsOf(lines, Date.now())
  const most = Math.max(1, ...calls)
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  const words = `${sum(calls)} calls in the last hour, ${sum(failed)} of them not OK, the slowest ${Math.round(Math.max(0, ...slowest))} ms`
  return (
    <figure className={styles.figure}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className={styles.curves}
        role="img"
        aria-label={words}
      >
        <path d={curve(calls, most)} className={styles.calls} />
        <path d={curve(failed, most)} className={styles.failed} />
        <path d={curve(slowest, Math.max(1, ...slowest))} className={styles.slowest} />
      </svg>
      <figcaption className={styles.words}>
        <span className={styles.callsKey}>calls</span> <span className={styles.failedKey}>not OK</span>{' '}
        <span className={styles.slowestKey}>slowest</span> · {words}
      </figcaption>
    </figure>
  )
}

function countsOf(lines: readonly ChainedLine[], now: number) {
  const calls = new Array<number>(minutes).fill(0)
  const failed = new Array<number>(minutes).fill(0)
  const slowest = new Array<number>(minutes).fill(0)
  for (const { at, line } of lines) {
    const index = minutes - 1 - Math.floor((now - at) / minuteMs)
    if (index < 0 || index >= minutes || (line.kind !== 'ended' && line.kind !== 'refused')) continue
    calls[index] = (calls[index] ?? 0) + 1
    if (line.outcome !== 'ok') failed[index] = (failed[index] ?? 0) + 1
    slowest[index] = Math.max(slowest[index] ?? 0, line.ms ?? 0)
  }
  return { calls, failed, slowest }
}

function curve(values: readonly number[], most: number): string {
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * width
    return `${x.toFixed(1)},${(height - 2 - (value / most) * (height - 6)).toFixed(1)}`
  })
  return `M${points.join('L')}`
}
