/** Remembers for a while what was seen, so that nothing is taken twice. */
export class ReplayCache {
  readonly #lastsMs: number
  readonly #most: number
  #period = Number.NEGATIVE_INFINITY
  #current = new Set<string>()
  #previous = new Set<string>()

  /** Remembers each thing for `lastsMs` at least and for twice as long at most, and `most` of them. */
  constructor(lastsMs: number, most: number) {
    this.#lastsMs = lastsMs
    this.#most = most
  }

  /** Whether this is the first time; `full` when that could not be remembered. */
  first(name: string, now: number): boolean | 'full' {
    this.#turn(now)
    if (this.#current.has(name) || this.#previous.has(name)) return false
    if (this.#current.size + this.#previous.size >= this.#most) return 'full'
    this.#current.add(name)
    return true
  }

  #turn(now: number): void {
    const period = Math.floor(now / this.#lastsMs)
    if (period <= this.#period) return
    this.#previous = period === this.#period + 1 ? this.#current : new Set()
    this.#current = new Set()
    this.#period = period
  }
}
