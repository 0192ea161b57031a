/** The members of a value that keywords have evaluated, for the unevaluated keywords. */
export class Marks {
  readonly #names = new Set<string>()
  readonly #items = new Set<number>()
  #firstItems = 0

  name(name: string): void {
    this.#names.add(name)
  }

  item(index: number): void {
    this.#items.add(index)
  }

  /** Marks the items before `end`. */
  itemsBefore(end: number): void {
    this.#firstItems = Math.max(this.#firstItems, end)
  }

  hasName(name: string): boolean {
    return this.#names.has(name)
  }

  hasItem(index: number): boolean {
    return index < this.#firstItems || this.#items.has(index)
  }

  /** Adds the marks of another set; returns their number. */
  add(other: Marks): number {
    this.itemsBefore(other.#firstItems)
    for (const name of other.#names) this.#names.add(name)
    for (const index of other.#items) this.#items.add(index)
    return other.#names.size + other.#items.size
  }
}
