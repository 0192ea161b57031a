/** A place between two items of a paged list: a page, and an index in it. */
export type PagePosition = readonly [page: number, index: number]

/** Options of {@link scanPages}. */
export interface PageScan<Item> {
  readonly page: (page: number, size: number) => Promise<readonly Item[]>
  readonly keeps: (item: Item) => boolean
  readonly limit: number
  /** A position that a cursor held; anything else begins at the first page. */
  readonly position: unknown
  readonly maxPages: number
}

/** Items that were found, each with the position behind it. */
export interface Scan<Item> {
  readonly items: readonly { readonly item: Item; readonly next: PagePosition }[]
  readonly next?: PagePosition
  /** Number of items that were looked at, if the search ended at its budget. */
  readonly looked?: number
}

const pageSize = 50

/** Looks through the pages of a list for items, up to a number of pages. */
export async function scanPages<Item>({ page, keeps, limit, position, maxPages }: PageScan<Item>): Promise<Scan<Item>> {
  const items: { item: Item; next: PagePosition }[] = []
  let [number, from] = isPosition(position) ? position : ([1, 0] as const)
  for (let count = 0; count < maxPages; count++, number++, from = 0) {
    const found = await page(number, pageSize)
    const isLast = found.length < pageSize
    for (const [index, item] of found.entries()) {
      if (index < from || !keeps(item)) continue
      // the item behind the last one shows that there is more
      const last = items.at(-1)
      if (items.length === limit) return { items, ...(last && { next: last.next }) }
      items.push({ item, next: [number, index + 1] })
    }
    if (isLast) return { items }
    const last = items.at(-1)
    if (items.length === limit && last) return { items, next: last.next }
  }
  return { items, next: [number, 0], looked: maxPages * pageSize }
}

function isPosition(value: unknown): value is PagePosition {
  if (!Array.isArray(value) || value.length !== 2) return false
  const [page, index] = value as readonly unknown[]
  return (
    Number.isInteger(page) &&
    Number.isInteger(index) &&
    Number(page) >= 1 &&
    Number(index) >= 0 &&
    Number(page) < 10_000
  )
}
