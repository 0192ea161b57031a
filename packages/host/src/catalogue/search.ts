/** Something that can be found by words. */
export interface SearchItem {
  readonly name: string
  readonly description: string
  /** @default none */
  readonly title?: string
  /** The names of its parameters. @default none */
  readonly parameters?: readonly string[]
}

export interface SearchHit<Item> {
  readonly item: Item
  readonly score: number
}

// the constants of Okapi BM25 that fit short texts
const saturation = 1.2
const lengthWeight = 0.75
/** A word in the name or title says more than one in the description. */
const nameWeight = 3
const titleWeight = 2

interface Entry<Item> {
  readonly item: Item
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
}

/** Ranks items by how well they fit some words (Okapi BM25). Made once for a list, asked many times. */
export class SearchIndex<Item extends SearchItem> {
  readonly #entries: readonly Entry<Item>[]
  readonly #holders = new Map<string, Entry<Item>[]>()
  readonly #averageLength: number

  constructor(items: Iterable<Item>) {
    this.#entries = Array.from(items, entryOf)
    const total = this.#entries.reduce((sum, { length }) => sum + length, 0)
    this.#averageLength = Math.max(1, total / Math.max(1, this.#entries.length))
    for (const entry of this.#entries) {
      for (const word of entry.counts.keys()) {
        const holders = this.#holders.get(word)
        if (holders) holders.push(entry)
        else this.#holders.set(word, [entry])
      }
    }
  }

  /** The best items first; nothing for words that stand nowhere. */
  search(query: string, most = 10): readonly SearchHit<Item>[] {
    const scores = new Map<Entry<Item>, number>()
    for (const word of new Set(wordsOf(query))) {
      const holders = this.#holders.get(word) ?? []
      const rarity = Math.log(1 + (this.#entries.length - holders.length + 0.5) / (holders.length + 0.5))
      for (const entry of holders) {
        scores.set(entry, (scores.get(entry) ?? 0) + rarity * this.#weight(entry, word))
      }
    }
    return [...scores]
      .map(([{ item }, score]) => ({ item, score }))
      .sort((one, other) => other.score - one.score || (one.item.name < other.item.name ? -1 : 1))
      .slice(0, most)
  }

  #weight({ counts, length }: Entry<Item>, word: string): number {
    const count = counts.get(word) ?? 0
    const penalty = 1 - lengthWeight + (lengthWeight * length) / this.#averageLength
    return (count * (saturation + 1)) / (count + saturation * penalty)
  }
}

function entryOf<Item extends SearchItem>(item: Item): Entry<Item> {
  const { name, title = '', description, parameters = [] } = item
  const counts = new Map<string, number>()
  let length = 0
  const add = (text: string, weight: number): void => {
    for (const word of wordsOf(text)) {
      counts.set(word, (counts.get(word) ?? 0) + weight)
      length += weight
    }
  }
  add(name, nameWeight)
  add(title, titleWeight)
  add(description, 1)
  for (const parameter of parameters) add(parameter, 1)
  return { item, counts, length }
}

/** Words in lower case, cut at case changes too, with the plural taken for the singular. */
function wordsOf(text: string): readonly string[] {
  const words =
    text
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word) => (word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word))
}
