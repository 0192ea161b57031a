/** One line of two texts that are compared. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Beyond this many differences a text counts as rewritten. */
const maxDifferences = 2_000

/** The shortest way from one list of lines to another, by the algorithm of Myers. */
export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const [oldEnd, newEnd] = [before.length - end, after.length - end]
  return [
    ...marked(before.slice(0, start), 'same'),
    ...shortestWay(before.slice(start, oldEnd), after.slice(start, newEnd)),
    ...marked(before.slice(oldEnd), 'same'),
  ]
}

/** Lines of the old text that were reached, by diagonal: the place in the old text less that in the new one. */
class Reached {
  readonly #lines: Int32Array
  readonly #middle: number

  constructor(differences: number, copied?: Reached) {
    this.#middle = differences + 1
    this.#lines = new Int32Array(2 * differences + 3).fill(-1)
    if (copied) this.#lines.set(copied.#lines, this.#middle - copied.#middle)
  }

  get(diagonal: number): number {
    return this.#lines[this.#middle + diagonal] ?? -1
  }

  set(diagonal: number, line: number): void {
    this.#lines[this.#middle + diagonal] = line
  }

  /** True if the last step onto a diagonal added a line, rather than removed one. */
  isAdded(diagonal: number, differences: number): boolean {
    if (Math.abs(diagonal) === differences) return diagonal < 0 || differences === 0
    return this.get(diagonal - 1) < this.get(diagonal + 1)
  }
}

function shortestWay(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  // what each number of differences could reach, to go back along
  const trail: Reached[] = []
  let reached = new Reached(0)
  reached.set(1, 0)
  for (let differences = 0; differences <= Math.min(before.length + after.length, maxDifferences); differences++) {
    trail.push(reached)
    const next = new Reached(differences + 1, reached)
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const isAdded = reached.isAdded(diagonal, differences)
      let line = isAdded ? reached.get(diagonal + 1) : reached.get(diagonal - 1) + 1
      while (line < before.length && line - diagonal < after.length && before[line] === after[line - diagonal]) line++
      next.set(diagonal, line)
      if (line >= before.length && line - diagonal >= after.length) return retrace(trail, before, after)
    }
    reached = next
  }
  return [...marked(before, 'removed'), ...marked(after, 'added')]
}

function retrace(trail: readonly Reached[], before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const lines: DiffLine[] = []
  let [old, now] = [before.length, after.length]
  for (const [differences, reached] of [...trail.entries()].reverse()) {
    const diagonal = old - now
    const isAdded = reached.isAdded(diagonal, differences)
    const from = isAdded ? diagonal + 1 : diagonal - 1
    const [oldStart, newStart] = [reached.get(from), reached.get(from) - from]
    while (old > oldStart && now > newStart) {
      now--
      lines.push({ kind: 'same', text: before[--old] ?? '' })
    }
    if (differences === 0) break
    if (isAdded) lines.push({ kind: 'added', text: after[--now] ?? '' })
    else lines.push({ kind: 'removed', text: before[--old] ?? '' })
  }
  return lines.reverse()
}

function marked(lines: readonly string[], kind: DiffLine['kind']): DiffLine[] {
  return lines.map((text) => ({ kind, text }))
}
