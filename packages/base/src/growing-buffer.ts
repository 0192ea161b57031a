/** The smallest buffer that is worth allocating. */
const leastBytes = 256
/** The largest buffer that is kept although nothing is in it. */
const maxKeptBytes = 65_536
const nothing = new Uint8Array(0)
const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true })

/** Collects bytes in one buffer that doubles when it is full, so that small chunks cost only their size. */
export class GrowingBuffer {
  readonly #maxBytes: number
  #bytes: Uint8Array = nothing
  #length = 0

  /** Allocates `maxBytes` at most. */
  constructor(maxBytes = Number.POSITIVE_INFINITY) {
    this.#maxBytes = maxBytes
  }

  get length(): number {
    return this.#length
  }

  /** Bytes that would be allocated to add so many more. */
  growth(bytes: number): number {
    const length = this.#length + bytes
    if (length <= this.#bytes.length) return 0
    const doubled = Math.min(Math.max(2 * this.#bytes.length, leastBytes), this.#maxBytes)
    return Math.max(length, doubled) - this.#bytes.length
  }

  /** Appends a copy of bytes. */
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

  /** Appends bytes that will not change; the first chunk is not copied. */
  adopt(bytes: Uint8Array): void {
    if (this.#length > 0) return this.add(bytes)
    this.#bytes = bytes
    this.#length = bytes.length
  }

  /** The contents, valid until something is added. */
  peek(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Clears it; keeps a small buffer. */
  clear(): void {
    if (this.#bytes.length > maxKeptBytes) this.#bytes = nothing
    this.#length = 0
  }

  /** The contents as UTF-8 text; clears it. */
  takeText(): string {
    const text = decoder.decode(this.peek())
    this.clear()
    return text
  }

  /** Takes the contents out. */
  take(): Uint8Array {
    const taken = this.peek()
    this.#bytes = nothing
    this.#length = 0
    return taken
  }
}
