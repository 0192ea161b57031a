import type { PaletteItem } from './item.ts'

const maxShown = 50

/** The items that a text finds: all words must occur, those at the beginning count more, and a whole title counts most. */
export function findItems(items: readonly PaletteItem[], text: string): readonly PaletteItem[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return items.slice(0, maxShown)
  const whole = words.join(' ')
  const found: { readonly item: PaletteItem; readonly score: number }[] = []
  for (const item of items) {
    const score = scoreOf(`${item.title} ${item.kind} ${item.words ?? ''}`.toLowerCase(), words)
    if (score === undefined) continue
    const ahead = item.title.toLowerCase() === whole ? 2 : item.isWaiting ? 1 : 0
    found.push({ item, score: score - ahead })
  }
  return found
    .sort((one, other) => one.score - other.score)
    .slice(0, maxShown)
    .map(({ item }) => item)
}

/** The place of the chosen item in a list that may have become shorter since it was chosen. */
export function placeWithin(place: number, count: number): number {
  return Math.max(0, Math.min(place, count - 1))
}

function scoreOf(text: string, words: readonly string[]): number | undefined {
  let score = text.length / 1_000
  for (const word of words) {
    const at = text.indexOf(word)
    if (at < 0) return undefined
    const isWordStart = at === 0 || /[\s_\-./:]/.test(text[at - 1] ?? '')
    score += (isWordStart ? 0 : 5) + Math.min(at, 50) / 50
  }
  return score
}
