/** Remembers recent proofs, so that none is accepted twice. */
export class ReplayCache {
  readonly #lastsMs: number
  readonly #most: number
  #period = Number.NEGATIVE_INFINITY
  #current = new Set<string>()
  #previous = new Set<string>()

  /** Remembers `most` names, each for between one and two times `lastsMs`. */
  constructor(lastsMs: number, most: number) {
    this.#lastsMs = lastsMs
    this.#most = most
  }

  /** True if the name is new; `full` when it could not be remembered. */
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
