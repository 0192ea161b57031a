import { type DiffLine, diffLines } from '@trunkline/base/line-diff'

/** Lines around a change that are shown with it. */
const contextLines = 3
const marks = { same: ' ', removed: '-', added: '+' } as const

/** The difference of two texts in the form that people and programs know; empty when there is none. */
export function unifiedDiff(name: string, before: string, after: string): string {
  if (before === after) return ''
  const lines = diffLines(before.split('\n'), after.split('\n'))
  return [`--- ${name}`, `+++ ${name}`, ...hunksOf(lines)].join('\n')
}

/** Cuts the lines into stretches around changes, each with its line numbers. */
function hunksOf(lines: readonly DiffLine[]): string[] {
  const changes = lines.flatMap(({ kind }, at) => (kind === 'same' ? [] : [at]))
  const stretches: [number, number][] = []
  for (const at of changes) {
    const last = stretches.at(-1)
    if (last !== undefined && at - contextLines <= last[1]) last[1] = Math.min(lines.length, at + contextLines + 1)
    else stretches.push([Math.max(0, at - contextLines), Math.min(lines.length, at + contextLines + 1)])
  }
  return stretches.flatMap(([start, end]) => {
    const [part, earlier] = [lines.slice(start, end), lines.slice(0, start)]
    const [old, fresh] = [count(earlier, 'added'), count(earlier, 'removed')]
    const head = `@@ -${old + 1},${count(part, 'added')} +${fresh + 1},${count(part, 'removed')} @@`
    return [head, ...part.map(({ kind, text }) => `${marks[kind]}${text}`)]
  })
}

/** Number of lines that are not of a kind. */
function count(lines: readonly DiffLine[], without: DiffLine['kind']): number {
  return lines.filter(({ kind }) => kind !== without).length
}
