import type { ServerHandler } from '../dialects/dialect.ts'
import type { ListKind } from '../model/features.ts'
import type { CacheHint, Change, ServerCapabilities } from '../model/types.ts'
import type { Limiter } from '../stores/limiter.ts'
import type { Sealer } from '../wire/sealed.ts'
import type { PacedCalls } from './call-rates.ts'
import type { Failures } from './handler-errors.ts'
import { PagedList, type PagedListOptions } from './pagination.ts'
import { type Offer, Registry } from './registry.ts'

/** One feature of a server, declared once: what it keeps, when and how it is declared, and the methods it serves. */
export interface Feature {
  /** The capabilities declared once something of it is offered. */
  readonly declares: ServerCapabilities
  isOffered(): boolean
  readonly handlers: { readonly [method: string]: ServerHandler }
  /** Its registries, and whether a mount adds its prefix to the names. */
  readonly registries: readonly { readonly registry: Registry<Offer>; readonly prefixed: boolean }[]
}

export interface FeatureOptions {
  readonly sealer: Sealer
  readonly cache: CacheHint
  readonly pageSize: number
  readonly failures: Failures
  /** Counts the calls of tools. */
  readonly limiter: Limiter
  /** The rates of all calls, if there are any. */
  readonly paced: PacedCalls | undefined
  /** Warns the author. */
  warn(message: string): void
  changed(change: Change): void
}

/** Options of one paged list. */
export type ListOptions<Item> = Omit<PagedListOptions<Item>, 'sealer' | 'cache' | 'pageSize'>

/** Creates the registries and lists of features. */
export class FeatureHost {
  readonly failures: Failures
  readonly limiter: Limiter
  readonly paced: PacedCalls | undefined
  readonly #options: FeatureOptions

  constructor(options: FeatureOptions) {
    this.#options = options
    this.failures = options.failures
    this.limiter = options.limiter
    this.paced = options.paced
  }

  list<Item>(options: ListOptions<Item>): PagedList<Item> {
    const { sealer, cache, pageSize } = this.#options
    return new PagedList({ ...options, sealer, cache, pageSize })
  }

  /** A registry that announces its changes as `kind` and invalidates the `lists`. */
  registry<Item extends Offer>(what: string, kind: ListKind, lists: readonly { invalidate(): void }[]): Registry<Item> {
    const changed = (): void => {
      for (const list of lists) list.invalidate()
      this.#options.changed({ kind })
    }
    return new Registry<Item>(what, { changed, warn: this.#options.warn })
  }
}

/** The listed items under their names on this server, without those that cannot be listed. */
export async function listedByName<Item>(
  entries: Iterable<[name: string, entry: { listed(): Promise<Item> }]>,
): Promise<readonly (Item & { readonly name: string })[]> {
  const items = [...entries].map(async ([name, entry]) => {
    // reported when the offer is prepared
    const listed = await entry.listed().catch(() => undefined)
    return listed === undefined ? [] : [{ name, ...listed }]
  })
  return (await Promise.all(items)).flat()
}
