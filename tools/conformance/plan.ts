import type { Scenario, Side } from './scenarios.ts'

/** One start of the suite. */
export interface Run {
  readonly side: Side
  readonly revision: string
  /** The scenarios it has to report on. */
  readonly names: readonly string[]
  /** What is asked of the suite. */
  readonly args: readonly string[]
}

/** Every run that a whole table needs: the suite is slow to start, so it tests a server at a revision in one go. */
export function planAll(scenarios: readonly Scenario[]): Run[] {
  const server = scenarios.filter(({ side }) => side === 'server')
  const revisions = new Set(server.flatMap((scenario) => scenario.revisions))
  const whole = [...revisions].map((revision): Run => {
    const names = server.filter((scenario) => scenario.revisions.includes(revision)).map(({ name }) => name)
    return { side: 'server', revision, names, args: ['--suite', 'all', ...at(revision)] }
  })
  return [...whole, ...planEach(scenarios.filter(({ side }) => side === 'client'))]
}

/** A run for every scenario at every revision. */
export function planEach(scenarios: readonly Scenario[]): Run[] {
  return scenarios.flatMap(({ side, name, revisions }) =>
    revisions.map((revision) => ({ side, revision, names: [name], args: ['--scenario', name, ...at(revision)] })),
  )
}

function at(revision: string): string[] {
  return revision === 'extension' ? [] : ['--spec-version', revision]
}
