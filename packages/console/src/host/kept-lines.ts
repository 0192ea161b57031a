/** The newest of something that comes in pieces; how many older ones had to go is counted. */
export class KeptLines<Line> {
  readonly #max: number
  #lines: Line[] = []
  #dropped = 0

  constructor(max: number) {
    this.#max = max
  }

  get length(): number {
    return this.#lines.length
  }

  add(lines: readonly Line[], dropped = 0): void {
    this.#dropped += dropped
    for (const line of lines) this.#lines.push(line)
    // trimmed at twice the limit, so that a line costs no copy of all others
    if (this.#lines.length >= 2 * this.#max) this.#trim()
  }

  /** Takes the lines kept since the last time. */
  take(): { readonly lines: readonly Line[]; readonly dropped: number } {
    this.#trim()
    const taken = { lines: this.#lines, dropped: this.#dropped }
    this.#lines = []
    this.#dropped = 0
    return taken
  }

  #trim(): void {
    const excess = this.#lines.length - this.#max
    if (excess <= 0) return
    this.#lines = this.#lines.slice(excess)
    this.#dropped += excess
  }
}
