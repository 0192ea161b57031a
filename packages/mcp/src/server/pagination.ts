import type { Caller, ServerRequest } from '../dialects/dialect.ts'
import type { CacheHint } from '../model/types.ts'
import { InvalidParams, RpcError } from '../wire/errors.ts'
import type { Fields } from '../wire/messages.ts'
import { SealError, type Sealer } from '../wire/sealed.ts'

export interface PagedListOptions<Item> {
  /** The member of the result with the items. */
  readonly member: string
  readonly pageSize: number
  readonly sealer: Sealer
  readonly cache: CacheHint
  /** The items that a caller can see, in order. */
  items(caller: Caller): Promise<readonly Item[]> | readonly Item[]
  keyOf(item: Item): string
  /** True if the list depends on the caller. */
  restricted(): boolean
}

interface Place {
  readonly after: string
  readonly at: number
}

const cursorMs = 24 * 3_600_000

/** Serves a list method with pagination; returns the same object as long as the list does not change. */
export class PagedList<Item> {
  readonly #options: PagedListOptions<Item>
  #first: Promise<Fields> | undefined

  constructor(options: PagedListOptions<Item>) {
    this.#options = options
  }

  /** Drops the cached pages after a change. */
  invalidate(): void {
    this.#first = undefined
  }

  /** Serves the list method. */
  readonly serve = ({ params, method, caller }: ServerRequest): Promise<Fields> => {
    if (params.cursor !== undefined) return this.#next(params.cursor as string, method, caller)
    if (this.#options.restricted()) return this.#page(0, method, caller)
    this.#first ??= this.#page(0, method, caller).then(
      (page) => Object.freeze(page),
      (error) => {
        this.#first = undefined
        throw error
      },
    )
    return this.#first
  }

  async #next(cursor: string, method: string, caller: Caller): Promise<Fields> {
    const { after, at } = await this.#open(cursor, method)
    const items = await this.#options.items(caller)
    // the list may have changed: continue after the last item, or at its position
    const last = items.findIndex((item) => this.#options.keyOf(item) === after)
    return this.#page(last < 0 ? at : last + 1, method, caller)
  }

  async #page(start: number, method: string, caller: Caller): Promise<Fields> {
    const { member, pageSize, cache } = this.#options
    const items = await this.#options.items(caller)
    const end = start + pageSize
    const scope = this.#options.restricted() ? 'private' : cache.scope
    const page = { [member]: items.slice(start, end), ttlMs: cache.ttlMs, cacheScope: scope }
    return end < items.length ? { ...page, nextCursor: await this.#seal(items, end, method) } : page
  }

  #seal(items: readonly Item[], at: number, method: string): Promise<string> {
    const place: Place = { after: this.#options.keyOf(items[at - 1] as Item), at }
    return this.#options.sealer.seal(place, `cursor ${method}`, Date.now() + cursorMs)
  }

  async #open(cursor: string, method: string): Promise<Place> {
    try {
      return (await this.#options.sealer.open(cursor, `cursor ${method}`)) as Place
    } catch (error) {
      if (!(error instanceof SealError)) throw error
      throw new RpcError(InvalidParams, `Cannot list: "cursor" is ${error.reason}`, { field: 'cursor' })
    }
  }
}
