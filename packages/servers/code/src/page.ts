import { makeCursor, positionOf } from '@trunkline/server-kit/cursor'
import { maxListTokens, mostTokens } from '@trunkline/server-kit/cut-text'

/** A page of a list that is known as a whole. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly next: string | undefined
  readonly total: number
}

/** Arguments of a page: the limit and cursor of the caller, and all other arguments, which the cursor is bound to. */
export interface PageArguments {
  readonly limit: number
  readonly cursor: string | undefined
  readonly query: unknown
}

/** Tokens for what stands around the items of a list. */
const aroundTokens = 150

/** Items from the cursor on: at most as many as the caller wants, and as fit into one answer; only those are made. */
export async function pageOf<Entry, Item>(
  all: readonly Entry[],
  { limit, cursor, query }: PageArguments,
  show: (entry: Entry) => Promise<Item> | Item,
): Promise<Page<Item>> {
  const given = Number(positionOf(cursor, query) ?? 0)
  const from = Number.isSafeInteger(given) && given >= 0 ? given : 0
  const items: Item[] = []
  let tokens = aroundTokens
  for (const entry of all.slice(from, from + limit)) {
    const item = await show(entry)
    tokens += tokensOf(item)
    if (tokens > maxListTokens && items.length > 0) break
    items.push(item)
  }
  const end = from + items.length
  return { items, next: end < all.length ? makeCursor(query, end) : undefined, total: all.length }
}

/** Tokens of an item; a run of signs between two members of JSON is one. */
function tokensOf(item: unknown): number {
  return mostTokens(JSON.stringify(item).replaceAll(/"?[,:{}[\]]+"?/g, '.'))
}
