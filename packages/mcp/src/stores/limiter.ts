type Later<Value> = Value | Promise<Value>

/** A rate by its key: so many at once, then one per interval (GCRA). */
export interface NamedRate {
  /** Name of the count; equal keys share one. */
  readonly key: string
  /** Milliseconds between two that keep to the rate. */
  readonly intervalMs: number
  /** Number that may come at once. */
  readonly burst: number
  /** While the store of a cluster is away, `open` counts in each process alone. Stores ignore it. @default closed */
  readonly storeAway?: 'open' | 'closed'
}

/** A rate that is exceeded, and when it no longer is. */
export interface RateRefusal {
  readonly key: string
  readonly afterMs: number
}

/** Counts calls against rates. An answer that is known at once is returned at once, so that nothing waits for it. */
export interface Limiter {
  /** Counts a call against all of the rates; if one of them is exceeded, counts nothing and returns the one that takes longest. */
  take(rates: readonly NamedRate[]): Later<RateRefusal | undefined>
}
