/** Seconds that are told apart; the oldest goes as a new one begins. */
const seconds = 60

/** Counts the events of the last minute, exact to a second, in room that does not grow with the count. */
export class RollingMinute {
  readonly #counts = new Uint32Array(seconds)
  #total = 0
  #second = 0

  /** Number of events in the last minute. */
  at(nowMs: number): number {
    this.#advance(Math.floor(nowMs / 1_000))
    return this.#total
  }

  add(nowMs: number): void {
    this.#advance(Math.floor(nowMs / 1_000))
    const slot = this.#second % seconds
    this.#counts[slot] = (this.#counts[slot] ?? 0) + 1
    this.#total += 1
  }

  /** Seconds until the oldest of them no longer counts. */
  secondsUntilLess(nowMs: number): number {
    this.#advance(Math.floor(nowMs / 1_000))
    for (let wait = 1; wait < seconds; wait++) if (this.#counts[(this.#second + wait) % seconds]) return wait
    return seconds
  }

  // the clock given is one that never goes back
  #advance(second: number): void {
    const passed = Math.min(second - this.#second, seconds)
    for (let step = 1; step <= passed; step++) {
      const slot = (this.#second + step) % seconds
      this.#total -= this.#counts[slot] ?? 0
      this.#counts[slot] = 0
    }
    // after a longer pause every slot is empty, whichever was cleared first
    if (second > this.#second) this.#second = second
  }
}
