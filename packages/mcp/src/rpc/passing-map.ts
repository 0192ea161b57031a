interface Cell<Value> {
  value: Value | undefined
}

/**
 * A map whose entries come and go with every call.
 *
 * A `Map` that is filled and emptied again and again makes a new table every few dozen entries, and V8 lets each old
 * table point to the new one. Once one table has got old, all that follow it count as alive until the next full
 * collection, and so does everything in them: every call would outlive its end. So the tables hold only small cells
 * here, which are emptied when an entry goes.
 */
export class PassingMap<Key extends string | number, Value> {
  readonly #cells = new Map<Key, Cell<Value>>()

  get size(): number {
    return this.#cells.size
  }

  has(key: Key): boolean {
    return this.#cells.has(key)
  }

  get(key: Key): Value | undefined {
    return this.#cells.get(key)?.value
  }

  set(key: Key, value: Value): void {
    this.delete(key)
    this.#cells.set(key, { value })
  }

  /** Removes an entry and returns what it was; undefined when there was none. */
  delete(key: Key): Value | undefined {
    const cell = this.#cells.get(key)
    if (cell === undefined) return undefined
    this.#cells.delete(key)
    const { value } = cell
    cell.value = undefined
    return value
  }

  /** Values of the map, oldest first. */
  *values(): Generator<Value> {
    for (const { value } of this.#cells.values()) yield value as Value
  }

  clear(): void {
    for (const key of this.#cells.keys()) this.delete(key)
  }
}
