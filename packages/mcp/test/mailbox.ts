import { soon } from './soon.ts'

/** Items that arrived and were not taken yet; taking from an empty one waits. */
export class Mailbox<Item> {
  readonly #items: Item[] = []
  readonly #waiting: ((item: Item) => void)[] = []

  get size(): number {
    return this.#items.length
  }

  readonly put = (item: Item): void => {
    const taker = this.#waiting.shift()
    if (taker) taker(item)
    else this.#items.push(item)
  }

  /** The oldest item, as soon as there is one. */
  take(): Promise<Item> {
    if (this.#items.length > 0) return Promise.resolve(this.#items.shift() as Item)
    return soon(new Promise((resolve) => this.#waiting.push(resolve)), 'something to arrive')
  }
}
