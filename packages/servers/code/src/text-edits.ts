import type { Position, TextEdit } from 'vscode-languageserver-types'

/** Finds the offset of a position in a text; one beyond the end of its line is the end of the line. */
export function offsetsOf(text: string): (position: Position) => number {
  const starts = [0]
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length)
  return ({ line, character }) => {
    const start = starts[line]
    if (start === undefined) return text.length
    const next = starts[line + 1] ?? text.length + 1
    return Math.min(start + character, next - 1)
  }
}

/** A text with edits applied, whose places are those of the text before. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const offsetOf = offsetsOf(text)
  const sorted = edits
    .map(({ range, newText }) => ({ from: offsetOf(range.start), to: offsetOf(range.end), newText }))
    .sort((one, other) => one.from - other.from)
  let [result, at] = ['', 0]
  for (const { from, to, newText } of sorted) {
    if (from < at) throw new Error('Cannot apply edits that overlap')
    result += text.slice(at, from) + newText
    at = to
  }
  return result + text.slice(at)
}
