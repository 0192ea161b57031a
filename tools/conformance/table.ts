import { familyOf, reasonNotToRun, type Scenario, type Side } from './scenarios.ts'
import type { Verdict } from './verdicts.ts'

/** One scenario and what came of it at each revision it applies to. */
export interface Row {
  readonly scenario: Scenario
  readonly verdicts: ReadonlyMap<string, Verdict>
}

/** The whole outcome as one table: a line per scenario that was run, and a line per family that was not. */
export function table(rows: readonly Row[], notRun: readonly Scenario[]): string {
  const revisions = [...new Set(rows.flatMap(({ scenario }) => scenario.revisions))].sort()
  const lines = [['', ...revisions], ...group('server'), ...group('client')]
  const width = Math.max(...lines.map(([title = '']) => title.length))
  return lines.map(([title = '', ...cells]) => aligned(title.padEnd(width), cells)).join('\n')

  function group(side: Side): string[][] {
    const own = [...runLines(rows, side, revisions), ...notRunLines(notRun, side)]
    return own.length === 0 ? [] : [[side], ...own]
  }
}

/** Everything that was wrong, by scenario and revision. */
export function complaints(rows: readonly Row[]): string[] {
  return rows.flatMap(({ scenario: { side, name, revisions }, verdicts }) =>
    revisions.flatMap((revision) => {
      const problems = verdicts.get(revision)?.problems ?? ['it was not judged']
      return problems.map((problem) => `${side} ${name} at ${revision}: ${problem}`)
    }),
  )
}

/** How many scenarios passed and failed, each revision counted, and how many were not run. */
export function summary(rows: readonly Row[], notRun: readonly Scenario[]): string {
  const cells = rows.flatMap((row) => row.scenario.revisions.map((revision) => outcome(row, revision)))
  const passed = cells.filter((cell) => cell === 'pass').length
  return `${passed} passed, ${cells.length - passed} failed, ${notRun.length} not run`
}

function aligned(title: string, cells: readonly string[]): string {
  return [title, ...cells.map((cell) => cell.padEnd(10))].join('  ').trimEnd()
}

function runLines(rows: readonly Row[], side: Side, revisions: readonly string[]): string[][] {
  const own = rows.filter(({ scenario }) => scenario.side === side)
  return own.map((row) => [`  ${row.scenario.name}`, ...revisions.map((revision) => outcome(row, revision))])
}

function outcome({ scenario, verdicts }: Row, revision: string): string {
  if (!scenario.revisions.includes(revision)) return '-'
  return verdicts.get(revision)?.problems.length === 0 ? 'pass' : 'FAIL'
}

function notRunLines(notRun: readonly Scenario[], side: Side): string[][] {
  const own = notRun.filter((scenario) => scenario.side === side)
  return [...new Set(own.map(({ name }) => familyOf(name)))].map((family) => {
    const count = own.filter(({ name }) => familyOf(name) === family).length
    return [`  ${family}* (${count})`, `not run: ${reasonNotToRun(family ?? '')}`]
  })
}
