/** Fixture that a scenario tests. */
export type Side = 'server' | 'client'

/** One scenario of the suite. */
export interface Scenario {
  readonly side: Side
  readonly name: string
  /** The revisions it applies to; one of an extension applies to `extension`. */
  readonly revisions: readonly string[]
}

/** Scenarios that the suite has a name for and no check yet; they are run, so that the first check it gets counts. */
export const empty: ReadonlySet<string> = new Set(['tasks-status-notifications'])

/** Scenarios that measure milliseconds, so that they run when nothing else does. */
export const timed: ReadonlySet<string> = new Set(['sse-retry'])

/** Reads what the suite lists for one side. */
export function readList(text: string, side: Side): Scenario[] {
  const entries = [...text.matchAll(/^ {2}- (\S+) \[([^\]]+)\]$/gm)]
  if (entries.length === 0) throw new Error(`Cannot read the ${side} scenarios: the suite lists none`)
  return entries.map(([, name = '', revisions = '']) => ({ side, name, revisions: revisions.split(',') }))
}
