/** Limits of a {@link LeastRecentlyUsed} map. */
export interface KeptLimits {
  readonly maxEntries: number
  /** Bytes of all entries together. */
  readonly maxBytes: number
}

interface Entry<Value> {
  readonly value: Value
  readonly bytes: number
}

/** A map with limits for entries and bytes, which drops the least recently used entries first. */
export class LeastRecentlyUsed<Value> {
  readonly #limits: KeptLimits
  // in the order of their last use
  readonly #entries = new Map<string, Entry<Value>>()
  #bytes = 0
  /** The key that was used last; using it again changes nothing. */
  #newest: string | undefined

  constructor(limits: KeptLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#entries.size
  }

  /** The bytes of all entries. */
  get bytes(): number {
    return this.#bytes
  }

  /** Gets a value and marks it as used. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (!entry || key === this.#newest) return entry?.value
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    this.#newest = key
    return entry.value
  }

  /** Gets a value without marking it as used. */
  peek(key: string): Value | undefined {
    return this.#entries.get(key)?.value
  }

  /** Stores a value, unless it alone exceeds `maxBytes`. */
  set(key: string, value: Value, bytes: number): void {
    this.delete(key)
    const { maxEntries, maxBytes } = this.#limits
    if (bytes > maxBytes) return
    this.#entries.set(key, { value, bytes })
    this.#newest = key
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= maxEntries && this.#bytes <= maxBytes) return
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }

  /** Deletes the entries that match a condition. */
  deleteIf(holds: (value: Value) => boolean): void {
    for (const [key, { value }] of this.#entries) if (holds(value)) this.delete(key)
  }
}
