/** A line of the ledger by its number. */
interface Numbered {
  readonly number: number
}

/** Lines in order, each once: what was asked for may have come as an event too, or come after newer ones. */
export function mergeLines<Line extends Numbered>(kept: readonly Line[], arrived: readonly Line[]): readonly Line[] {
  const all = [...kept, ...arrived]
  if (isOrdered(all, kept.length)) return all
  const byNumber = new Map(all.map((line) => [line.number, line]))
  return [...byNumber.values()].sort((one, other) => one.number - other.number)
}

/** True if the numbers only grow, from the one before this place on. */
function isOrdered(lines: readonly Numbered[], from: number): boolean {
  for (let at = Math.max(1, from); at < lines.length; at++) {
    if ((lines[at]?.number ?? 0) <= (lines[at - 1]?.number ?? 0)) return false
  }
  return true
}
