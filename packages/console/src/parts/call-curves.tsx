import { lazy, Suspense, useMemo } from 'react'
import type { ChainedLine } from '../host/queries.ts'
import { callCounts, countsInWords, onlyWhereSome } from './call-counts.ts'
import styles from './call-curves.module.css'
import { useEverySecond } from './use-every-second.ts'

// the plot library is loaded with the first curve
const Plot = lazy(async () => ({ default: (await import('./plot.tsx')).Plot }))

const counted = [
  { label: 'calls', color: '--accent', isFilled: true },
  { label: 'failed', color: '--bad', isFilled: true },
] as const
const timed = [
  { label: 'p50', color: '--accent' },
  { label: 'p95', color: '--warn' },
] as const

/** Live curves of calls, failures and durations. */
export function CallCurves({ lines }: { readonly lines: readonly ChainedLine[] }) {
  const { value, now } = useEverySecond(lines)
  const counts = useMemo(() => callCounts(value, now), [value, now])
  const words = countsInWords(counts)
  // the same lists while they are the same, so that nothing is drawn again
  const numbers = useMemo(() => [counts.calls, onlyWhereSome(counts.failed)], [counts])
  const times = useMemo(() => [counts.usual, counts.slow], [counts])
  return (
    <figure className={styles.figure}>
      <div className={styles.plots} role="img" aria-label={words}>
        <div>
          <div className={styles.title}>
            <span className={styles.calls}>calls</span> and <span className={styles.failed}>failed</span>
          </div>
          <Suspense fallback={<div className={styles.plot} />}>
            <Plot className={styles.plot} at={counts.at} values={numbers} series={counted} />
          </Suspense>
        </div>
        <div>
          <div className={styles.title}>
            <span className={styles.calls}>p50</span> and <span className={styles.slow}>p95</span>, in milliseconds
          </div>
          <Suspense fallback={<div className={styles.plot} />}>
            <Plot className={styles.plot} at={counts.at} values={times} series={timed} />
          </Suspense>
        </div>
      </div>
      <figcaption className={styles.words}>{words}</figcaption>
    </figure>
  )
}
