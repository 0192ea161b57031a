/** What ended sooner than that, in milliseconds, was not meant to last. */
const leastMs = 1_000
/** Milliseconds within which a client comes back the first time. */
const firstMs = 1_000
const mostInARow = 5

/** Decides whether, and when, a client comes back to a server that took it in for a while and then sent it away. */
export class WatchRetry {
  readonly #random: () => number
  readonly #now: () => number
  #since: number | undefined
  #left = 0

  constructor({ random = Math.random, now = () => performance.now() } = {}) {
    this.#random = random
    this.#now = now
  }

  /** The server has taken the client in. */
  began(): void {
    this.#since = this.#now()
  }

  /** Milliseconds before the client comes back, each time up to twice as many; nothing when it is not wanted there. */
  next(): number | undefined {
    const hasLasted = this.#since !== undefined && this.#now() - this.#since >= leastMs
    this.#since = undefined
    if (hasLasted) this.#left = mostInARow
    if (this.#left === 0) return undefined
    return this.#random() * firstMs * 2 ** (mostInARow - this.#left--)
  }
}
