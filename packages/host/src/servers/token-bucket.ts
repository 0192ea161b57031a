/** Seconds of its rate that a bucket holds, so that a short burst passes. */
const burstSeconds = 5

/** Allows a number of events in a second, and a few seconds' worth of them at once. */
export class TokenBucket {
  readonly #perSecond: () => number
  #tokens: number
  #filledAt = performance.now()

  constructor(perSecond: () => number) {
    this.#perSecond = perSecond
    this.#tokens = perSecond() * burstSeconds
  }

  /** Takes a token, even if there is none: that one is owed, and waited for. */
  take(): void {
    this.#fill()
    this.#tokens -= 1
  }

  /** Milliseconds until a token is there; 0 while one is. */
  get waitMs(): number {
    this.#fill()
    return Math.max(0, ((1 - this.#tokens) / this.#perSecond()) * 1_000)
  }

  #fill(): void {
    const now = performance.now()
    const perSecond = this.#perSecond()
    this.#tokens = Math.min(perSecond * burstSeconds, this.#tokens + ((now - this.#filledAt) / 1_000) * perSecond)
    this.#filledAt = now
  }
}
