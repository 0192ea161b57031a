import type { Store } from './store.ts'

/** Writer of collected items. */
export interface CollectedParts<Item> {
  /** Writes them; the returned function is called once they are committed. */
  write(items: readonly Item[]): () => void
  /** They were taken back. */
  failed?(): void
  /** Items to write instead of those that could not be written. @default none */
  lessThan?(items: readonly Item[]): readonly Item[]
}

/** Collects the items of one turn of the event loop and writes them together, as cheaply as one item. */
export class Collected<Item> {
  readonly #store: Store
  readonly #parts: CollectedParts<Item>
  #items: Item[] = []
  #committed: Promise<void> | undefined

  constructor(store: Store, parts: CollectedParts<Item>) {
    this.#store = store
    this.#parts = parts
  }

  /** Resolves when it is committed, together with all others of this turn; an unawaited failure is ignored. */
  add(item: Item): Promise<void> {
    this.#items.push(item)
    if (this.#committed === undefined) {
      this.#committed = this.#commit()
      this.#committed.catch(() => {})
    }
    return this.#committed
  }

  async #commit(): Promise<void> {
    let items: readonly Item[] | undefined
    let committed = (): void => {}
    try {
      await this.#store.atEnd(() => {
        items = this.#taken()
        committed = this.#parts.write(items)
      })
    } catch (error) {
      // a turn that could not be opened still holds its items; else those that are here are of the next one
      if (items === undefined) this.#taken()
      this.#parts.failed?.()
      const less = items && this.#parts.lessThan?.(items)
      if (less === undefined) throw error
      await this.#store.atEnd(() => {
        committed = this.#parts.write(less)
      })
    }
    committed()
  }

  #taken(): readonly Item[] {
    const items = this.#items
    this.#items = []
    this.#committed = undefined
    return items
  }
}
