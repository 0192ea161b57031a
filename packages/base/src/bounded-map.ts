/** A map that holds so many entries; the one that was set longest ago makes room for one more. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number

  constructor(most: number, entries: Iterable<readonly [Key, Value]> = []) {
    super()
    this.#most = most
    for (const [key, value] of entries) this.set(key, value)
  }

  override set(key: Key, value: Value): this {
    this.delete(key)
    super.set(key, value)
    const [oldest] = this.keys()
    if (this.size > this.#most && oldest !== undefined) this.delete(oldest)
    return this
  }

  /** The value, which is taken out. */
  take(key: Key): Value | undefined {
    const value = this.get(key)
    this.delete(key)
    return value
  }
}
