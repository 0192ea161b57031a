import { type DiffLine, diffLines } from '@trunkline/base/line-diff'

/** Line diff: the lines to remove from one text and to add to it to get the other. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  return diffLines(linesOf(before), linesOf(after))
}

/** The line end at the end of a file begins no line; no text has no lines. */
function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}
