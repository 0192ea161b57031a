/** The latest part of a text that may be endless. */
export class StderrTail {
  readonly #limit: number
  #text = ''

  constructor(limit: number) {
    this.#limit = limit
  }

  add(text: string): void {
    this.#text += text
    // cut only now and then, so that many small pieces cost no more than few large ones
    if (this.#text.length > 2 * this.#limit) this.#text = this.toString()
  }

  toString(): string {
    return this.#text.length > this.#limit ? this.#text.slice(this.#text.length - this.#limit) : this.#text
  }
}
