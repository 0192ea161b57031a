/** The most tokens of one thing in a result; longer texts are cut at a line. */
export const maxThingTokens = 2_500
/** The most tokens of a list of the default length. */
export const maxListTokens = 1_500

/** A text that was cut at a line. */
export interface CutText {
  readonly text: string
  /** Lines that were left out. */
  readonly linesLeft: number
}

/**
 * A number of tokens that a text hardly exceeds, counted without a vocabulary: four letters of a word, one or two of any other
 * run of letters and digits, a sign, and a letter or two of other alphabets are a token.
 */
export function mostTokens(text: string): number {
  let tokens = 0
  for (const [run] of text.matchAll(/[A-Za-z0-9]+|[^\S\n]+|\n+|[^A-Za-z0-9\s]/g)) tokens += weightOf(run)
  return Math.ceil(tokens)
}

/** The first lines of a text that fit into a number of tokens; a line that is too long alone is cut within. */
export function cutText(text: string, maxTokens: number): CutText {
  const lines = text.split('\n')
  let used = 0
  for (const [at, line] of lines.entries()) {
    used += mostTokens(line) + 1
    if (used <= maxTokens) continue
    if (at === 0) return { text: startOf(line, maxTokens), linesLeft: lines.length - 1 || 1 }
    return { text: lines.slice(0, at).join('\n'), linesLeft: lines.length - at }
  }
  return { text, linesLeft: 0 }
}

/** A text of at most a number of tokens, with a last line that says how much is left and where all of it is. */
export function shownText(text: string, options: { readonly maxTokens: number; readonly all: string }): string {
  const { text: shown, linesLeft } = cutText(text, options.maxTokens)
  return linesLeft === 0 ? shown : `${shown}\n[${linesLeft} more lines: ${options.all}]`
}

function weightOf(run: string): number {
  if (/^\s/.test(run)) return run === ' ' ? 0.25 : 1
  if (/^[A-Z]?[a-z]+$/.test(run)) return Math.ceil(run.length / 4)
  if (/^[A-Za-z0-9]/.test(run)) return Math.ceil(run.length / 1.5)
  if (/^\p{L}/u.test(run)) return 0.7
  return run < '\u0080' ? 1 : 1.5
}

function startOf(line: string, maxTokens: number): string {
  let [fits, tooLong] = [0, line.length]
  while (fits + 1 < tooLong) {
    const middle = (fits + tooLong) >> 1
    if (mostTokens(line.slice(0, middle)) <= maxTokens) fits = middle
    else tooLong = middle
  }
  // never half of a surrogate pair
  const start = line.slice(0, fits)
  return /[\ud800-\udbff]$/.test(start) ? start.slice(0, -1) : start
}

/** The first items that fit into a number of tokens as JSON, and the number of those that do not. */
export function fitItems<Item>(
  items: readonly Item[],
  maxTokens: number,
): { readonly items: readonly Item[]; readonly left: number } {
  let used = 0
  const end = items.findIndex((item) => {
    used += mostTokens(JSON.stringify(item)) + 1
    return used > maxTokens
  })
  return end < 0 ? { items, left: 0 } : { items: items.slice(0, end), left: items.length - end }
}
