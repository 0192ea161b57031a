/** How much is kept at most. */
export interface KeptLimits {
  readonly maxEntries: number
  /** Bytes of all entries together, as their owner weighs them. */
  readonly maxBytes: number
}

interface Entry<Value> {
  readonly value: Value
  readonly bytes: number
}

/** A map that is limited in number and weight: the entries that were not used for longest go first. */
export class LeastRecentlyUsed<Value> {
  readonly #limits: KeptLimits
  // in the order of their last use
  readonly #entries = new Map<string, Entry<Value>>()
  #bytes = 0
  /** The key that was used last, so that using it again changes nothing. */
  #newest: string | undefined

  constructor(limits: KeptLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#entries.size
  }

  /** What all entries weigh together. */
  get bytes(): number {
    return this.#bytes
  }

  /** What is kept under a key, which counts as a use of it. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (!entry || key === this.#newest) return entry?.value
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    this.#newest = key
    return entry.value
  }

  /** What is kept under a key, which is not a use of it. */
  peek(key: string): Value | undefined {
    return this.#entries.get(key)?.value
  }

  /** Keeps a value; one that is heavier than all may be is not kept. */
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

  /** Forgets every entry for which something holds. */
  deleteIf(holds: (value: Value) => boolean): void {
    for (const [key, { value }] of this.#entries) if (holds(value)) this.delete(key)
  }
}
