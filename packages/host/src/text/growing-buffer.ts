/** Larger than most messages; a buffer that grew beyond it is not kept for the next one. */
const keptBytes = 64 * 1024
const firstBytes = 1024

/** Bytes that arrive in pieces, copied into one buffer: a piece of one byte costs one byte, not an object. */
export class GrowingBuffer {
  #bytes = Buffer.alloc(firstBytes)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Memory that it holds. */
  get capacity(): number {
    return this.#bytes.length
  }

  append(piece: Uint8Array): void {
    const length = this.#length + piece.length
    if (length > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(length, this.#bytes.length * 2))
      this.#bytes.copy(grown, 0, 0, this.#length)
      this.#bytes = grown
    }
    this.#bytes.set(piece, this.#length)
    this.#length = length
  }

  /** All bytes as UTF-8 text; afterwards it is empty. */
  takeText(): string {
    const text = this.#bytes.toString('utf8', 0, this.#length)
    this.#length = 0
    if (this.#bytes.length > keptBytes) this.#bytes = Buffer.alloc(firstBytes)
    return text
  }
}
