import { empty, type Scenario, type Side } from './scenarios.ts'
import { nothingChecked, type Verdict } from './verdicts.ts'

/** One scenario and what came of it at each revision it applies to. */
export interface Row {
  readonly scenario: Scenario
  readonly verdicts: ReadonlyMap<string, Verdict>
}

/** The whole outcome as one table: a line per scenario. */
export function table(rows: readonly Row[]): string {
  const revisions = [...new Set(rows.flatMap(({ scenario }) => scenario.revisions))].sort()
  const lines = [['', ...revisions], ...group('server'), ...group('client')]
  const width = Math.max(...lines.map(([title = '']) => title.length))
  return lines.map(([title = '', ...cells]) => aligned(title.padEnd(width), cells)).join('\n')

  function group(side: Side): string[][] {
    const own = linesOf(rows, side, revisions)
    return own.length === 0 ? [] : [[side], ...own]
  }
}

/** Everything that was wrong, by scenario and revision. */
export function complaints(rows: readonly Row[]): string[] {
  return rows.flatMap((row) =>
    row.scenario.revisions.flatMap((revision) => {
      const { side, name } = row.scenario
      const problems = outcome(row, revision) === 'FAIL' ? problemsOf(row, revision) : []
      return problems.map((problem) => `${side} ${name} at ${revision}: ${problem}`)
    }),
  )
}

/** The scenarios in which the suite checks nothing yet, each with what it says about that. */
export function unchecked(rows: readonly Row[]): string[] {
  return rows.flatMap((row) =>
    row.scenario.revisions
      .filter((revision) => outcome(row, revision) === 'empty')
      .map((revision) => {
        const { side, name } = row.scenario
        const reasons = row.verdicts.get(revision)?.skipped ?? []
        return `${side} ${name} at ${revision} has no check in the suite: ${reasons.join('; ')}`
      }),
  )
}

/** Counts of scenarios that passed and failed, per revision, and of listed ones that were not run. */
export function summary(rows: readonly Row[], listed: readonly Scenario[]): string {
  const cells = rows.flatMap((row) => row.scenario.revisions.map((revision) => outcome(row, revision)))
  const count = (wanted: string): number => cells.filter((cell) => cell === wanted).length
  const unwritten = count('empty')
  const note = unwritten > 0 ? `, ${unwritten} without a check in the suite` : ''
  const notRun = listed.filter((scenario) => !rows.some((row) => row.scenario === scenario)).length
  return `${count('pass')} passed, ${count('FAIL')} failed, ${notRun} not run${note}`
}

function aligned(title: string, cells: readonly string[]): string {
  return [title, ...cells.map((cell) => cell.padEnd(10))].join('  ').trimEnd()
}

function linesOf(rows: readonly Row[], side: Side, revisions: readonly string[]): string[][] {
  const own = rows.filter(({ scenario }) => scenario.side === side)
  return own.map((row) => [`  ${row.scenario.name}`, ...revisions.map((revision) => outcome(row, revision))])
}

function outcome({ scenario, verdicts }: Row, revision: string): string {
  if (!scenario.revisions.includes(revision)) return '-'
  const problems = problemsOf({ scenario, verdicts }, revision)
  if (problems.length === 0) return 'pass'
  return empty.has(scenario.name) && problems.every((problem) => problem === nothingChecked) ? 'empty' : 'FAIL'
}

function problemsOf({ verdicts }: Row, revision: string): readonly string[] {
  return verdicts.get(revision)?.problems ?? ['it was not judged']
}
