import { maxListTokens, mostTokens } from '@trunkline/server-kit/cut-text'

/** Tokens for the notes and the cursor of a list. */
const forNotes = 100

/** The first items of a page that fit into the tokens of a list, and the position behind the last of them. */
export function pageToTokens<Item extends object, Position>(
  page: readonly { readonly item: Item; readonly next: Position }[],
  next: Position | undefined,
): { readonly items: readonly Item[]; readonly next: Position | undefined } {
  let used = forNotes
  const end = page.findIndex(({ item }) => {
    used += tokensOf(item)
    return used > maxListTokens
  })
  if (end <= 0) return { items: page.map(({ item }) => item), next }
  return { items: page.slice(0, end).map(({ item }) => item), next: page[end - 1]?.next }
}

/** Tokens of an item: its values, and four for the name of each with its signs. */
function tokensOf(item: object): number {
  return mostTokens(Object.values(item).flat().join(' ')) + 4 * Object.keys(item).length
}
