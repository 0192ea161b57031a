const longestName = 64
/** Characters that the beginning of a name must have to stand for it. */
const leastStart = 4

/** The most similar name, or else the first that begins like this; undefined for long text. */
export function nearName(written: string, names: Iterable<string>): string | undefined {
  if (written.length > longestName) return undefined
  const start = written.toLowerCase()
  let best: string | undefined
  let begun: string | undefined
  let least = Math.max(1, Math.floor(written.length / 3)) + 1
  for (const name of names) {
    if (start.length >= leastStart && name.toLowerCase().startsWith(start)) begun ??= name
    const edits = editDistance(start, name.toLowerCase())
    if (edits >= least) continue
    best = name
    least = edits
  }
  return best ?? begun
}

/** `; did you mean "…"?` with the most similar name, or an empty string. */
export function didYouMean(written: string, names: Iterable<string>): string {
  const near = nearName(written, names)
  return near === undefined ? '' : `; did you mean "${near}"?`
}

/** The Damerau-Levenshtein distance. */
function editDistance(from: string, to: string): number {
  let older: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let line = 1; line <= from.length; line++) {
    const next = [line]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[line - 1] === to[column - 1]
      const changed = at(row, column - 1) + (isSame ? 0 : 1)
      const isSwapped = from[line - 1] === to[column - 2] && from[line - 2] === to[column - 1]
      const swapped = line > 1 && column > 1 && isSwapped ? at(older, column - 2) + 1 : changed
      next.push(Math.min(changed, swapped, at(row, column) + 1, at(next, column - 1) + 1))
    }
    older = row
    row = next
  }
  return at(row, to.length)
}

const at = (row: readonly number[], index: number): number => row[index] as number
