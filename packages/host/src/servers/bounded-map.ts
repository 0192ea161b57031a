/** A map that holds so many entries; the oldest makes room for one more. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number

  constructor(most: number) {
    super()
    this.#most = most
  }

  override set(key: Key, value: Value): this {
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
