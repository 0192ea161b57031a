/** Range in a text. */
export interface Place {
  readonly from: number
  readonly to: number
}

/** Limit of found places. */
export const maxPlaces = 10_000

/** Every place where these words stand, whatever their case, up to the limit. */
export function findPlaces(text: string, words: string): readonly Place[] {
  if (words === '') return []
  const found: Place[] = []
  for (const { index, 0: match } of text.matchAll(new RegExp(escaped(words), 'gi'))) {
    found.push({ from: index, to: index + match.length })
    if (found.length === maxPlaces) break
  }
  return found
}

/** The words as an expression that matches just them. */
function escaped(words: string): string {
  return words.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
