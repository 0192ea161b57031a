import type { ChainedLine } from '../host/queries.ts'
import { callCounts, countsInWords } from './call-counts.ts'
import styles from './sparkline.module.css'

const [width, height] = [96, 22]

/** Calls and failures of one server, small enough for a table. */
export function Sparkline({ lines, now }: { readonly lines: readonly ChainedLine[]; readonly now: number }) {
  const counts = callCounts(lines, now)
  const most = Math.max(1, ...counts.calls)
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className={styles.line}
      role="img"
      aria-label={countsInWords(counts)}
    >
      <path d={curve(counts.calls, most)} className={styles.calls} />
      {counts.failed.some((count) => count > 0) && <path d={curve(counts.failed, most)} className={styles.failed} />}
    </svg>
  )
}

function curve(values: readonly number[], most: number): string {
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * width
    return `${x.toFixed(1)},${(height - 2 - (value / most) * (height - 4)).toFixed(1)}`
  })
  return `M${points.join('L')}`
}
