import { bytesOf, type WireItem } from './wire-item.ts'

/** Size of the wire log, in bytes of memory. */
export const maxWireBytes = 8 * 1024 ** 2

/** Latest items of the wire log; the oldest makes room. */
export class WireRing {
  readonly #maxBytes: number
  #items: WireItem[] = []
  /** Items before this place are gone; they are taken out together. */
  #first = 0
  #bytes = 0
  #forgotten = 0

  constructor(maxBytes = maxWireBytes) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Number of items that made room. */
  get forgotten(): number {
    return this.#forgotten
  }

  get items(): readonly WireItem[] {
    return this.#items.slice(this.#first)
  }

  add(item: WireItem): void {
    this.#items.push(item)
    this.#bytes += bytesOf(item)
    while (this.#bytes > this.#maxBytes) this.#dropFirst()
    if (this.#first > 1_000 && this.#first * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#first)
      this.#first = 0
    }
  }

  #dropFirst(): void {
    const oldest = this.#items[this.#first]
    if (!oldest) return
    this.#first += 1
    this.#bytes -= bytesOf(oldest)
    this.#forgotten += 1
  }
}
