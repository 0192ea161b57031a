import { McpError } from '../wire/errors.ts'
import type { Fields } from '../wire/messages.ts'

export interface PageLimits {
  readonly maxPagesPerList: number
  readonly maxItemsPerList: number
}

/** A list that is fetched page by page while it is iterated. */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #fetch: (cursor: string | undefined) => Promise<Fields>
  readonly #member: string
  readonly #limits: PageLimits

  /** @internal */
  constructor(member: string, fetch: (cursor: string | undefined) => Promise<Fields>, limits: PageLimits) {
    this.#member = member
    this.#fetch = fetch
    this.#limits = limits
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Item> {
    for await (const page of this.pages()) yield* page
  }

  /** Every item at once. */
  async all(): Promise<readonly Item[]> {
    const items: Item[] = []
    for await (const page of this.pages()) items.push(...page)
    return items
  }

  /** The pages as the server divides them. */
  async *pages(): AsyncIterable<readonly Item[]> {
    const seen = new Set<string>()
    let cursor: string | undefined
    let items = 0
    do {
      const result = await this.#fetch(cursor)
      const page = result[this.#member] as readonly Item[]
      items += page.length
      if (items > this.#limits.maxItemsPerList) throw this.#endless(`more than ${this.#limits.maxItemsPerList} items`)
      yield page
      cursor = result.nextCursor as string | undefined
      if (cursor === undefined) return
      if (seen.has(cursor)) throw this.#endless('the same cursor came twice')
      seen.add(cursor)
    } while (seen.size < this.#limits.maxPagesPerList)
    throw this.#endless(`more than ${this.#limits.maxPagesPerList} pages`)
  }

  #endless(problem: string): McpError {
    return new McpError('TooMany', `Cannot list ${this.#member} to the end: ${problem}`)
  }
}
