/** The middle of repeated figures, and how far they lie apart. */
export interface Summary {
  readonly median: number
  readonly low: number
  readonly high: number
}

/** The value below which a share of the sorted values lies. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) return Number.NaN
  const position = (sorted.length - 1) * share
  const below = sorted[Math.floor(position)] ?? Number.NaN
  const above = sorted[Math.ceil(position)] ?? below
  return below + (above - below) * (position - Math.floor(position))
}

/** The median, the lowest and the highest of some figures. */
export function summarise(values: readonly number[]): Summary {
  const sorted = values.toSorted((left, right) => left - right)
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0), high: quantile(sorted, 1) }
}

/** Round by round, one series as a multiple of another; rounds that only one of them has are left out. */
export function ratios(values: readonly number[], baseline: readonly number[]): number[] {
  const rounds = Math.min(values.length, baseline.length)
  return Array.from({ length: rounds }, (_, round) => (values[round] ?? Number.NaN) / (baseline[round] ?? Number.NaN))
}
