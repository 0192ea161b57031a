/** One line of two texts that are compared. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Beyond so many pairs of lines the texts are shown as wholly different. */
const maxPairs = 4_000_000

/** Line diff: the lines to remove from one text and to add to it to get the other. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  if (old.length * now.length > maxPairs) return [...marked(old, 'removed'), ...marked(now, 'added')]
  const lengths = commonLengths(old, now)
  const lines: DiffLine[] = []
  let [at, to] = [0, 0]
  while (at < old.length && to < now.length) {
    if (old[at] === now[to]) {
      lines.push({ kind: 'same', text: old[at] ?? '' })
      at += 1
      to += 1
    } else if ((lengths[at + 1]?.[to] ?? 0) >= (lengths[at]?.[to + 1] ?? 0)) {
      lines.push({ kind: 'removed', text: old[at] ?? '' })
      at += 1
    } else {
      lines.push({ kind: 'added', text: now[to] ?? '' })
      to += 1
    }
  }
  return [...lines, ...marked(old.slice(at), 'removed'), ...marked(now.slice(to), 'added')]
}

/** The line end at the end of a file begins no line; no text has no lines. */
function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

/** For each pair of positions, how many lines the rests have in common, in order. */
function commonLengths(old: readonly string[], now: readonly string[]): readonly Uint32Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1))
  for (let at = old.length - 1; at >= 0; at -= 1) {
    const [row, below] = [lengths[at], lengths[at + 1]]
    for (let to = now.length - 1; row && below && to >= 0; to -= 1) {
      row[to] = old[at] === now[to] ? (below[to + 1] ?? 0) + 1 : Math.max(below[to] ?? 0, row[to + 1] ?? 0)
    }
  }
  return lengths
}

function marked(lines: readonly string[], kind: DiffLine['kind']): DiffLine[] {
  return lines.map((text) => ({ kind, text }))
}
