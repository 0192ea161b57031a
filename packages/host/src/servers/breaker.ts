export interface BreakerOptions {
  /** The wait after the second failure in a row, in milliseconds; it doubles from there. @default 500 */
  readonly firstWaitMs?: number
  /** @default 60_000 */
  readonly maxWaitMs?: number
  /** A server that ran this long starts over with a clean record. @default 10_000 */
  readonly stableMs?: number
  /** Between 0 and 1; for tests. @default Math.random */
  readonly random?: () => number
}

const defaults = {
  firstWaitMs: 500,
  maxWaitMs: 60_000,
  stableMs: 10_000,
  random: Math.random,
} as const satisfies BreakerOptions

/**
 * Decides when a server that failed is tried again. After one failure it is tried at once; after more in a row it is left
 * alone for a time that doubles, spread at random, so that many do not come back in the same moment.
 */
export class Breaker {
  readonly #options: Required<BreakerOptions>
  #failures = 0
  #nextTryAt = 0
  #startedAt = 0

  constructor(options: BreakerOptions = {}) {
    this.#options = { ...defaults, ...options }
  }

  /** Failures in a row. */
  get failures(): number {
    return this.#failures
  }

  /** Time of the next try, on the clock of `performance.now()`. */
  get nextTryAt(): number {
    return this.#nextTryAt
  }

  /** Milliseconds until it may be tried again. */
  get waitMs(): number {
    return Math.max(0, this.#nextTryAt - performance.now())
  }

  started(): void {
    this.#startedAt = performance.now()
  }

  failed(): void {
    const now = performance.now()
    const { firstWaitMs, maxWaitMs, stableMs, random } = this.#options
    if (this.#startedAt > 0 && now - this.#startedAt >= stableMs) this.#failures = 0
    this.#startedAt = 0
    this.#failures += 1
    if (this.#failures === 1) {
      this.#nextTryAt = now
      return
    }
    const longest = Math.min(maxWaitMs, firstWaitMs * 2 ** (this.#failures - 2))
    this.#nextTryAt = now + longest * (0.5 + random() / 2)
  }

  /** A person asked for another try. */
  reset(): void {
    this.#failures = 0
    this.#nextTryAt = 0
  }
}
