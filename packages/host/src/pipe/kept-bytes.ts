/** Counts the bytes of the results that a run keeps. */
export class ResultBytes {
  readonly #most: number
  #bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Counts a value; returns its bytes, or undefined when it is too much. */
  keep(value: unknown): number | undefined {
    const bytes = Buffer.byteLength(JSON.stringify(value) ?? '')
    if (this.#bytes + bytes > this.#most) return undefined
    this.#bytes += bytes
    return bytes
  }

  /** These bytes are not kept any more. */
  release(bytes: number): void {
    this.#bytes -= bytes
  }
}
