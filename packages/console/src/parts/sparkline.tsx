import type { ChainedLine } from '../host/queries.ts'
import { callCounts, countsInWords, onlyWhereSome } from './call-counts.ts'
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
      <path
        d={curve(
          counts.calls.map(() => 0),
          most,
        )}
        className={styles.ground}
      />
      <path d={curve(onlyWhereSome(counts.calls), most)} className={styles.calls} />
      <path d={curve(onlyWhereSome(counts.failed), most)} className={styles.failed} />
    </svg>
  )
}

/** A line through the values, with a gap where there are none. */
function curve(values: readonly (number | null)[], most: number): string {
  let isGap = true
  const steps = values.map((value, index) => {
    if (value === null) {
      isGap = true
      return ''
    }
    // inside of the edges, so that all of the stroke is seen
    const x = 1 + (index / (values.length - 1)) * (width - 2)
    const y = height - 2 - (value / most) * (height - 4)
    const step = `${isGap ? 'M' : 'L'}${x.toFixed(1)},${y.toFixed(1)}`
    isGap = false
    return step
  })
  return steps.join('')
}
