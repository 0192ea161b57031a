import { createScanner } from 'jsonc-parser'

const comma = 5
const lineComment = 12
const blockComment = 13
const lineBreak = 14
const blank = 15
const endOfText = 17

/** Text behind an item of an object or list. */
export interface After {
  /** Behind its comma; undefined when it has none. */
  readonly commaEnd: number | undefined
  /** End of the line on which the item or its comma ends, comments included. */
  readonly lineEnd: number
}

/** Looks past comments for the comma of an item, and for the end of its line. */
export function afterItem(text: string, end: number): After {
  const scanner = createScanner(text)
  scanner.setPosition(end)
  let commaEnd: number | undefined
  let lineEnd: number | undefined
  let seen = end
  for (let token: number = scanner.scan(); ; token = scanner.scan()) {
    const tokenEnd = scanner.getTokenOffset() + scanner.getTokenLength()
    if (token === comma && commaEnd === undefined) {
      commaEnd = tokenEnd
      // the line that counts is that of the comma
      lineEnd = undefined
      seen = tokenEnd
    } else if (token === lineBreak) {
      lineEnd ??= seen
    } else if (token === lineComment || token === blockComment) {
      if (lineEnd === undefined) seen = tokenEnd
    } else if (token !== blank) {
      return { commaEnd, lineEnd: lineEnd ?? seen }
    }
  }
}

/** The white space in front of a position. */
export function gapBefore(text: string, offset: number): string {
  let start = offset
  while (start > 0 && /\s/.test(text[start - 1] ?? '')) start--
  return text.slice(start, offset)
}

/** True if the text between two positions, which holds no value, ends in a comment that needs a line end. */
export function endsInLineComment(text: string, start: number, end: number): boolean {
  const scanner = createScanner(text.slice(start, end))
  let last = 0
  for (let token: number = scanner.scan(); token !== endOfText; token = scanner.scan()) last = token
  return last === lineComment
}
