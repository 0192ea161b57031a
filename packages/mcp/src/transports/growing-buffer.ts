/** The smallest buffer that is worth allocating. */
const leastBytes = 256
/** The largest buffer that is kept although nothing is in it. */
const maxKeptBytes = 65_536
const nothing = new Uint8Array(0)

/** Bytes that arrive in pieces, copied into one buffer that doubles when it is full: pieces of any size cost their size. */
export class GrowingBuffer {
  readonly #maxBytes: number
  #bytes: Uint8Array = nothing
  #length = 0

  /** `maxBytes` is what its owner lets it hold; it allocates no more than that. */
  constructor(maxBytes = Number.POSITIVE_INFINITY) {
    this.#maxBytes = maxBytes
  }

  get length(): number {
    return this.#length
  }

  /** Bytes that it would have to allocate before it can hold so many more. */
  growth(bytes: number): number {
    const length = this.#length + bytes
    if (length <= this.#bytes.length) return 0
    const doubled = Math.min(Math.max(2 * this.#bytes.length, leastBytes), this.#maxBytes)
    return Math.max(length, doubled) - this.#bytes.length
  }

  /** Copies bytes in. */
  add(bytes: Uint8Array): void {
    const growth = this.growth(bytes.length)
    if (growth > 0) {
      const grown = new Uint8Array(this.#bytes.length + growth)
      grown.set(this.#bytes.subarray(0, this.#length))
      this.#bytes = grown
    }
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Like `add`, for bytes that nobody else will change: the first of them are not copied, which are often all. */
  adopt(bytes: Uint8Array): void {
    if (this.#length > 0) return this.add(bytes)
    this.#bytes = bytes
    this.#length = bytes.length
  }

  /** All of it, as it is until something is added. */
  peek(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Forgets what is in it; a buffer of ordinary size is used again. */
  clear(): void {
    if (this.#bytes.length > maxKeptBytes) this.#bytes = nothing
    this.#length = 0
  }

  /** All of it; the next bytes go into a buffer of their own. */
  take(): Uint8Array {
    const taken = this.peek()
    this.#bytes = nothing
    this.#length = 0
    return taken
  }
}
