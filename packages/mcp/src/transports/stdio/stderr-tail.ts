/** Keeps the end of stderr. */
export class StderrTail {
  readonly #limit: number
  #text = ''

  constructor(limit: number) {
    this.#limit = limit
  }

  add(text: string): void {
    this.#text += text
    // cut only occasionally, so that many small chunks are cheap
    if (this.#text.length > 2 * this.#limit) this.#text = this.toString()
  }

  toString(): string {
    return this.#text.length > this.#limit ? this.#text.slice(this.#text.length - this.#limit) : this.#text
  }
}
