/** Lines around a change that are shown with it. */
const contextLines = 3
/** Beyond this many differences a text counts as rewritten. */
const maxDifferences = 2_000

interface Step {
  readonly kind: ' ' | '-' | '+'
  readonly line: string
}

/** The difference of two texts in the form that people and programs know; empty when there is none. */
export function unifiedDiff(name: string, before: string, after: string): string {
  if (before === after) return ''
  const steps = stepsBetween(before.split('\n'), after.split('\n'))
  return [`--- ${name}`, `+++ ${name}`, ...hunksOf(steps)].join('\n')
}

/** Cuts the steps into stretches around changes, each with its line numbers. */
function hunksOf(steps: readonly Step[]): string[] {
  const changes = steps.flatMap(({ kind }, at) => (kind === ' ' ? [] : [at]))
  const stretches: [number, number][] = []
  for (const at of changes) {
    const last = stretches.at(-1)
    if (last !== undefined && at - contextLines <= last[1]) last[1] = Math.min(steps.length, at + contextLines + 1)
    else stretches.push([Math.max(0, at - contextLines), Math.min(steps.length, at + contextLines + 1)])
  }
  return stretches.flatMap(([start, end]) => {
    const part = steps.slice(start, end)
    const [old, fresh] = [count(steps.slice(0, start), '+'), count(steps.slice(0, start), '-')]
    const head = `@@ -${old + 1},${count(part, '+')} +${fresh + 1},${count(part, '-')} @@`
    return [head, ...part.map(({ kind, line }) => `${kind}${line}`)]
  })
}

/** Number of steps that are not of a kind. */
function count(steps: readonly Step[], without: Step['kind']): number {
  return steps.filter(({ kind }) => kind !== without).length
}

/** The shortest way from one list of lines to another, by the algorithm of Myers. */
function stepsBetween(before: readonly string[], after: readonly string[]): Step[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const same = (line: string): Step => ({ kind: ' ', line })
  const middle = shortestWay(before.slice(start, before.length - end), after.slice(start, after.length - end))
  return [...before.slice(0, start).map(same), ...middle, ...before.slice(before.length - end).map(same)]
}

function shortestWay(before: readonly string[], after: readonly string[]): Step[] {
  const trail: Map<number, number>[] = []
  const furthest = new Map([[1, 0]])
  for (let differences = 0; differences <= Math.min(before.length + after.length, maxDifferences); differences++) {
    trail.push(new Map(furthest))
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const down =
        diagonal === -differences ||
        (diagonal !== differences && reach(furthest, diagonal - 1) < reach(furthest, diagonal + 1))
      let old = down ? reach(furthest, diagonal + 1) : reach(furthest, diagonal - 1) + 1
      while (old < before.length && old - diagonal < after.length && before[old] === after[old - diagonal]) old++
      furthest.set(diagonal, old)
      if (old >= before.length && old - diagonal >= after.length) return retrace(trail, before, after)
    }
  }
  return [...before.map((line): Step => ({ kind: '-', line })), ...after.map((line): Step => ({ kind: '+', line }))]
}

function reach(furthest: ReadonlyMap<number, number>, diagonal: number): number {
  return furthest.get(diagonal) ?? -1
}

function retrace(trail: readonly Map<number, number>[], before: readonly string[], after: readonly string[]): Step[] {
  const steps: Step[] = []
  let [old, fresh] = [before.length, after.length]
  for (let differences = trail.length - 1; differences >= 0; differences--) {
    const furthest = trail[differences] ?? new Map()
    const diagonal = old - fresh
    const down =
      diagonal === -differences ||
      (diagonal !== differences && reach(furthest, diagonal - 1) < reach(furthest, diagonal + 1))
    const from = down ? diagonal + 1 : diagonal - 1
    const [oldStart, freshStart] = [reach(furthest, from), reach(furthest, from) - from]
    while (old > oldStart && fresh > freshStart) {
      fresh--
      steps.push({ kind: ' ', line: before[--old] ?? '' })
    }
    if (differences === 0) break
    if (down) steps.push({ kind: '+', line: after[--fresh] ?? '' })
    else steps.push({ kind: '-', line: before[--old] ?? '' })
  }
  return steps.reverse()
}
