/** The name that was probably meant by one that is not known, or nothing where none is near. */
export function nearName(given: string, known: Iterable<string>): string | undefined {
  const wanted = given.toLowerCase()
  let best: string | undefined
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const name of known) {
    const distance = distanceBetween(wanted, name.toLowerCase(), least)
    if (distance >= least) continue
    least = distance
    best = name
  }
  return best
}

/** How many letters have to be changed, added, left out or swapped; counting ends at `limit`, and for long names at once. */
function distanceBetween(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) >= limit || one.length > longest) return limit
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let down = 1; down <= one.length; down++) {
    const next = [down]
    for (let at = 1; at <= other.length; at++) {
      const same = one[down - 1] === other[at - 1]
      const swapped = one[down - 1] === other[at - 2] && one[down - 2] === other[at - 1]
      const steps = [(row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, (row[at - 1] ?? 0) + (same ? 0 : 1)]
      if (swapped) steps.push((before[at - 2] ?? 0) + 1)
      next.push(Math.min(...steps))
    }
    before = row
    row = next
  }
  return row[other.length] ?? limit
}

const longest = 64
