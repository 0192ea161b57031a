import { type DiffLine, diffLines } from '@trunkline/base/line-diff'

/** Line diff: the lines to remove from one text and to add to it to get the other. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  return diffLines(linesOf(before), linesOf(after))
}

/** The line end at the end of a file begins no line; no text has no lines. */
function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

/** Lines of a difference that are near a change; a line of three dots stands for each run that was left out. */
export function nearChanges(lines: readonly DiffLine[], around = 3): readonly DiffLine[] {
  const changed = lines.flatMap(({ kind }, at) => (kind === 'same' ? [] : [at]))
  const isNear = (at: number) => changed.some((one) => Math.abs(one - at) <= around)
  return lines.flatMap((line, at) => {
    if (isNear(at)) return [line]
    return at === 0 || isNear(at - 1) ? [{ kind: 'same' as const, text: '⋯' }] : []
  })
}
