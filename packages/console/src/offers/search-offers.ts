import type { ListedOffer } from './listed-offer.ts'

/** The offers in which all words of a text occur; those whose name has the first of them come first. */
export function searchOffers(offers: readonly ListedOffer[], wanted: string): readonly ListedOffer[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  const [first] = words
  if (first === undefined) return offers
  const found = offers.filter(({ text }) => words.every((word) => text.includes(word)))
  const isNamed = ({ title }: ListedOffer) => title.toLowerCase().includes(first)
  return [...found.filter(isNamed), ...found.filter((one) => !isNamed(one))]
}
