import type { CatalogueEntry } from '../host/queries.ts'

/** What servers offer, with the text that is searched in. */
export interface SearchableOffer {
  readonly entry: CatalogueEntry
  readonly text: string
}

/** Prepares a search over many offers: their texts are put together once. */
export function searchable(entries: readonly CatalogueEntry[]): readonly SearchableOffer[] {
  return entries.map((entry) => {
    const { title, description } = entry.definition
    return { entry, text: `${entry.original} ${entry.server} ${title ?? ''} ${description ?? ''}`.toLowerCase() }
  })
}

/** The offers in which all words of a text occur; those whose name has the first of them come first. */
export function searchOffers(offers: readonly SearchableOffer[], wanted: string): readonly CatalogueEntry[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  const [first] = words
  if (first === undefined) return offers.map(({ entry }) => entry)
  const found = offers.filter(({ text }) => words.every((word) => text.includes(word)))
  const isNamed = ({ entry }: SearchableOffer) => entry.original.toLowerCase().includes(first)
  return [...found.filter(isNamed), ...found.filter((one) => !isNamed(one))].map(({ entry }) => entry)
}
