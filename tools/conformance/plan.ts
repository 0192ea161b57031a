import { type Scenario, type Side, timed } from './scenarios.ts'

const extension = 'extension'
const wholeLimitMs = 300_000

/** One start of the suite. */
export interface Run {
  readonly side: Side
  readonly revision: string
  /** The scenarios it has to report on. */
  readonly names: readonly string[]
  /** Arguments for the suite. */
  readonly args: readonly string[]
  /** Set if the arguments are those of one scenario, and one start runs all that are named, each as if it were alone. */
  readonly isOneByOne?: boolean
}

/**
 * Runs of a whole table. The suite is slow to start, so one start tests a side at a revision, or in its extensions.
 * What is timed has a start each.
 */
export function planAll(scenarios: readonly Scenario[]): Run[] {
  const runs = planEach(scenarios)
  const together = runs.filter((run) => !isApart(run))
  const kinds = new Set(together.map(kindOf))
  const whole = [...kinds].map((kind) => wholeOf(together.filter((run) => kindOf(run) === kind)))
  return [...whole, ...runs.filter(isApart)]
}

function kindOf({ side, revision }: Run): string {
  return `${side} ${revision}`
}

function isApart({ names }: Run): boolean {
  return names.some((name) => timed.has(name))
}

function wholeOf(runs: readonly Run[]): Run {
  const [{ side, revision }] = runs as readonly [Run]
  const names = runs.flatMap((run) => run.names)
  // the suite has no selection for extensions
  if (revision === extension) return oneByOne({ side, revision }, names)
  // the suite tests clients all at once, and each has as long as on a machine where they take turns
  const patient = side === 'client' ? ['--timeout', String(wholeLimitMs)] : []
  return { side, revision, names, args: ['--suite', 'all', ...at(revision), ...patient] }
}

/** A run of some scenarios, each as if it were alone: of one by itself, of more in one start. */
export function oneByOne({ side, revision }: Pick<Run, 'side' | 'revision'>, names: readonly string[]): Run {
  const [name = ''] = names
  if (names.length === 1) return { side, revision, names, args: ['--scenario', name, ...at(revision)] }
  return { side, revision, names, args: at(revision), isOneByOne: true }
}

/** A run for every scenario at every revision. */
export function planEach(scenarios: readonly Scenario[]): Run[] {
  return scenarios.flatMap(({ side, name, revisions }) =>
    revisions.map((revision) => oneByOne({ side, revision }, [name])),
  )
}

function at(revision: string): string[] {
  return revision === extension ? [] : ['--spec-version', revision]
}
