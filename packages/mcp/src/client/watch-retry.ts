/** A watch that ended sooner than these milliseconds counts as refused. */
const leastMs = 1_000
/** Milliseconds within which the first retry happens. */
const firstMs = 1_000
const mostInARow = 5

/** Decides whether and when a watch that the server ended is started again. */
export class WatchRetry {
  readonly #random: () => number
  readonly #now: () => number
  #since: number | undefined
  #left = 0

  constructor({ random = Math.random, now = () => performance.now() } = {}) {
    this.#random = random
    this.#now = now
  }

  /** The server has accepted the watch. */
  began(): void {
    this.#since = this.#now()
  }

  /** Milliseconds before the next retry, which double each time; undefined when there should be none. */
  next(): number | undefined {
    const hasLasted = this.#since !== undefined && this.#now() - this.#since >= leastMs
    this.#since = undefined
    if (hasLasted) this.#left = mostInARow
    if (this.#left === 0) return undefined
    return this.#random() * firstMs * 2 ** (mostInARow - this.#left--)
  }
}
