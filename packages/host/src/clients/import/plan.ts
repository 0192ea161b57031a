import type { ConfigProblem } from '../../config/problem.ts'
import type { ServerEntry } from '../../config/schema/server-entry.ts'
import { findLiterals } from '../../config/secrets/find-literals.ts'
import { candidatesIn } from './candidates.ts'
import type { FoundFile } from './discover.ts'
import type { ImportPlan } from './import-plan.ts'
import { joinCandidates } from './join-servers.ts'
import { planRules } from './plan-rules.ts'

/** Context of an import: addresses and servers that exist here already. */
export interface ImportContext {
  /** The addresses of this host. */
  readonly endpoints: readonly string[]
  /** The servers that are configured, by name. */
  readonly present: ReadonlyMap<string, ServerEntry>
}

/** Makes one plan of the findings in all clients. */
export function planImport(files: readonly FoundFile[], context: ImportContext): ImportPlan {
  const found = candidatesIn(files, context.endpoints)
  const joined = joinCandidates(found.candidates, context.present)
  const rules = planRules(files, joined.servers, found.skipped)
  return {
    servers: joined.servers.map(({ clients: _, ...server }) => ({
      ...server,
      secrets: findLiterals(server.name, server.entry),
    })),
    rules: [...rules.rules, ...joined.rules],
    inputs: found.inputs,
    skipped: [...found.skipped, ...joined.skipped],
    left: [...found.left, ...joined.left, ...rules.left].sort(byPlace),
    problems: files.flatMap(({ problems }) => problems),
  }
}

function byPlace(one: ConfigProblem, other: ConfigProblem): number {
  return one.file.localeCompare(other.file) || one.line - other.line
}
