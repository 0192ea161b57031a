/** `1 item`, `2 items`. */
export function count(number: number, noun: string): string {
  if (number === 1) return `1 ${noun}`
  return `${number} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`
}

/** `a`, `a or b`, `a, b or c`. */
export function listOfWords(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** A JSON value short enough for a sentence. */
export function quote(value: unknown): string {
  return shorten(JSON.stringify(value) ?? String(value))
}

/** The beginning of a text that may be long. */
export function shorten(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
}

const maxShown = 200
