import { type Reply, reply } from '@trunkline/mcp'

/** The most items that a caller may ask for at once. */
export const maxListItems = 100

/** Arguments of every list, as properties of a JSON Schema; `fields` only where a list has more to tell. */
export function listArguments<const Field extends string = never>(list: {
  readonly limit: number
  readonly fields?: readonly Field[]
}) {
  const more = { type: 'array', items: { enum: list.fields }, description: 'More members per item' }
  return {
    limit: { type: 'integer', minimum: 1, maximum: maxListItems, default: list.limit },
    cursor: { type: 'string', description: '"next" of the page before' },
    ...(list.fields && { fields: more }),
  } as {
    readonly limit: { readonly type: 'integer'; readonly default: number }
    readonly cursor: { readonly type: 'string' }
    readonly fields: { readonly type: 'array'; readonly items: { readonly enum: readonly Field[] } }
  }
}

/** Members that items get beside the usual ones: those that were named, or all where the caller wants full detail by the contract. */
export function wantedFields<Field extends string>(
  all: readonly Field[],
  named: readonly Field[] | undefined,
  ctx: object,
): readonly Field[] {
  return named ?? ((ctx as { readonly want?: string }).want === 'full' ? all : [])
}

/** A page of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[]
  /** The cursor of the next page. */
  readonly next?: string | undefined
  /** Number of all items, where it is known. */
  readonly total?: number | undefined
  /** Sentences about the page, such as how far a search looked. */
  readonly notes?: readonly string[]
}

/** A result with one line per item; its structured content is `{ items, next?, total?, notes? }`. */
export function listReply<Item extends object>(page: ListPage<Item>, lineOf: (item: Item) => string): Reply {
  const { items, next, total, notes = [] } = page
  const lines = items.length === 0 ? ['Nothing found'] : items.map((item) => lineOf(item).replaceAll(/\s*\n\s*/g, ' '))
  const more = next === undefined ? [] : [`[more: "cursor": ${JSON.stringify(next)}]`]
  const counted = total === undefined || total === items.length ? [] : [`[${items.length} of ${total}]`]
  const structured = {
    items,
    ...(next !== undefined && { next }),
    ...(total !== undefined && { total }),
    ...(notes.length > 0 && { notes }),
  }
  return reply([...lines, ...counted, ...notes.map((note) => `[${note}]`), ...more].join('\n'), { structured })
}
