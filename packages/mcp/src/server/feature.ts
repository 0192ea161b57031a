import type { ServerHandler } from '../dialects/dialect.ts'
import type { ServerCapabilities } from '../model/input.ts'
import type { CacheHint, Change } from '../model/types.ts'
import type { Sealer } from '../wire/sealed.ts'
import type { Failures } from './handler-errors.ts'
import { PagedList, type PagedListOptions } from './pagination.ts'
import { type Offer, Registry } from './registry.ts'

/** One feature of a server, declared once: what it keeps, when and how it is declared, and the methods it serves. */
export interface Feature {
  /** The capabilities declared once something of it is offered. */
  readonly declares: ServerCapabilities
  isOffered(): boolean
  readonly handlers: { readonly [method: string]: ServerHandler }
  /** What it keeps, and whether a server that mounts another one puts its prefix before the names. */
  readonly registries: readonly { readonly registry: Registry<Offer>; readonly prefixed: boolean }[]
}

export interface FeatureOptions {
  readonly sealer: Sealer
  readonly cache: CacheHint
  readonly pageSize: number
  readonly failures: Failures
  /** Tells the author something. */
  warn(message: string): void
  changed(change: Change): void
}

/** A list that callers get page by page, without what is the same for all of them. */
export type ListOptions<Item> = Omit<PagedListOptions<Item>, 'sealer' | 'cache' | 'pageSize'>

/** Makes the parts that features consist of. */
export class FeatureHost {
  readonly failures: Failures
  readonly #options: FeatureOptions

  constructor(options: FeatureOptions) {
    this.#options = options
    this.failures = options.failures
  }

  list<Item>(options: ListOptions<Item>): PagedList<Item> {
    const { sealer, cache, pageSize } = this.#options
    return new PagedList({ ...options, sealer, cache, pageSize })
  }

  /** A registry whose changes are announced as `kind`, and which the `lists` are made from. */
  registry<Item extends Offer>(
    what: string,
    kind: Exclude<Change['kind'], 'resource'>,
    lists: readonly { invalidate(): void }[],
  ): Registry<Item> {
    const changed = (): void => {
      for (const list of lists) list.invalidate()
      this.#options.changed({ kind })
    }
    return new Registry<Item>(what, { changed, warn: this.#options.warn })
  }
}

/** The items of a list, by the names that they have on this server, without those that turn out to be unlistable. */
export async function listedByName<Item>(
  entries: Iterable<[name: string, entry: { listed(): Promise<Item> }]>,
): Promise<readonly (Item & { readonly name: string })[]> {
  const items = [...entries].map(async ([name, entry]) => {
    // the author is told of it when the offer is prepared
    const listed = await entry.listed().catch(() => undefined)
    return listed === undefined ? [] : [{ name, ...listed }]
  })
  return (await Promise.all(items)).flat()
}
