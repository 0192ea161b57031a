import { resolveKnownLimits } from '../wire/resolve-limits.ts'
import { afterOneMore, msUntilNext } from './gcra.ts'
import type { Limiter, NamedRate, RateRefusal } from './limiter.ts'

/** Limits of a {@link MemoryLimiter}. */
export interface LimiterLimits {
  /** Rates that are counted: one per caller, one per tool and caller. @default 10_000 */
  readonly maxRates: number
}

/** The default limits of a limiter. */
export const limiterLimits = { maxRates: 10_000 } as const satisfies LimiterLimits

/** Options of a {@link MemoryLimiter}. */
export interface MemoryLimiterOptions {
  readonly limits?: Partial<LimiterLimits>
  /** The time in milliseconds, which must not go back. @default that of the process */
  readonly now?: () => number
}

/** Counts rates in the memory of one process. */
export class MemoryLimiter implements Limiter {
  readonly #limits: LimiterLimits
  readonly #now: () => number
  // by key, the least recently used first: the time that the rate is used up to
  readonly #used = new Map<string, number>()

  constructor({ limits, now = () => performance.now() }: MemoryLimiterOptions = {}) {
    this.#limits = resolveKnownLimits(limiterLimits, limits)
    this.#now = now
  }

  take(rates: readonly NamedRate[]): RateRefusal | undefined {
    const now = this.#now()
    let refusal: RateRefusal | undefined
    for (const rate of rates) {
      const afterMs = msUntilNext(this.#used.get(rate.key) ?? now, rate, now)
      if (afterMs > (refusal?.afterMs ?? 0)) refusal = { key: rate.key, afterMs }
    }
    if (refusal) return refusal
    for (const rate of rates) this.#count(rate, now)
    return undefined
  }

  /** The number of rates that are counted. */
  get live(): { readonly rates: number } {
    return { rates: this.#used.size }
  }

  #count(rate: NamedRate, now: number): void {
    const usedUntil = this.#used.get(rate.key)
    if (usedUntil === undefined) this.#makeRoom(now)
    else this.#used.delete(rate.key)
    this.#used.set(rate.key, afterOneMore(usedUntil ?? now, rate, now))
  }

  // what is used up to a time that has passed is as good as forgotten; two of them for each new one, so that they become fewer
  #makeRoom(now: number): void {
    let looked = 0
    for (const [key, usedUntil] of this.#used) {
      const isFull = this.#used.size >= this.#limits.maxRates
      if (!isFull && (usedUntil > now || ++looked > 2)) return
      this.#used.delete(key)
    }
  }
}
