import type { ListedOffer } from './listed-offer.ts'

/** A row of a list of offers: the head of a server, or one of its offers. */
export type OfferRow = { readonly head: string; readonly count: number } | { readonly offer: ListedOffer }

/** Offers below the heads of their servers; servers and offers stay in their order. */
export function offerRows(offers: readonly ListedOffer[]): readonly OfferRow[] {
  const groups = new Map<string, ListedOffer[]>()
  for (const offer of offers) {
    const group = groups.get(offer.server)
    if (group) group.push(offer)
    else groups.set(offer.server, [offer])
  }
  return [...groups].flatMap(([head, group]) => [
    { head, count: group.length },
    ...group.map((offer): OfferRow => ({ offer })),
  ])
}

/** The offers in which all words of a text occur; those whose name has the first of them come first. */
export function searchOffers(offers: readonly ListedOffer[], wanted: string): readonly ListedOffer[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  const [first] = words
  if (first === undefined) return offers
  const found = offers.filter(({ text }) => words.every((word) => text.includes(word)))
  const isNamed = ({ title }: ListedOffer) => title.toLowerCase().includes(first)
  return [...found.filter(isNamed), ...found.filter((one) => !isNamed(one))]
}
