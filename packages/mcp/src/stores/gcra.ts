/** The generic cell rate algorithm: all that is kept of a rate is the time at which it has been used up to. */

interface Pace {
  /** Milliseconds between two that keep to the rate. */
  readonly intervalMs: number
  /** Number that may come at once. */
  readonly burst: number
}

// sums of intervals are not exact
const toleranceMs = 1e-6

/** Milliseconds until the next one may come; 0 when it may come now. */
export function msUntilNext(usedUntil: number, { intervalMs, burst }: Pace, now: number): number {
  const afterMs = Math.max(usedUntil, now) - (burst - 1) * intervalMs - now
  return afterMs > toleranceMs ? afterMs : 0
}

/** The time that the rate is used up to after one more. */
export function afterOneMore(usedUntil: number, { intervalMs }: Pace, now: number): number {
  return Math.max(usedUntil, now) + intervalMs
}
