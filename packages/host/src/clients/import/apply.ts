import type { Edit, Value } from '../../config/document/document.ts'
import { withReferences } from '../../config/secrets/keep-apart.ts'
import type { FoundInput } from '../client-format.ts'
import type { ImportPlan, PlannedServer } from './import-plan.ts'

/** Choices of a person in a plan. */
export interface ImportChoice {
  /** The servers to take over, by the names in the plan. */
  readonly servers: ReadonlySet<string>
  /** True if secrets that stand in entries are kept apart. */
  readonly moveSecrets: boolean
  /** True if decisions are imported. */
  readonly rules: boolean
}

/** Changes that an import writes. */
export interface ImportEdits {
  /** Changes to the person's own file, and to the one for each project, by its directory. */
  readonly user: readonly Edit[]
  readonly projects: ReadonlyMap<string, readonly Edit[]>
  /** Secrets to keep before anything is written. */
  readonly secrets: readonly { readonly name: string; readonly value: string }[]
}

/** The changes that a choice leads to; nothing is written here. */
export function importEdits(plan: ImportPlan, choice: ImportChoice): ImportEdits {
  const chosen = plan.servers.filter(({ name }) => choice.servers.has(name))
  const projects = new Set(chosen.flatMap(({ project }) => project ?? []))
  const inScope = (project: string | undefined) => chosen.filter((server) => server.project === project)
  const editsOf = (project: string | undefined) => [
    ...inScope(project).map((server) => serverEdit(server, choice)),
    ...inputsFor(plan, inScope(project)).map((input) => ({ path: ['inputs'], append: inputValue(input) })),
    ...(choice.rules ? ruleEdits(plan, inScope(project), project) : []),
  ]
  return {
    user: editsOf(undefined),
    projects: new Map([...projects].map((project) => [project, editsOf(project)])),
    secrets: choice.moveSecrets
      ? chosen.flatMap(({ secrets }) => secrets.map(({ name, value }) => ({ name, value })))
      : [],
  }
}

function serverEdit(server: PlannedServer, { moveSecrets }: ImportChoice): Edit {
  const { name, entry, secrets } = server
  return { path: ['mcpServers', name], value: (moveSecrets ? withReferences(entry, secrets) : entry) as Value }
}

function ruleEdits({ rules }: ImportPlan, servers: readonly PlannedServer[], project: string | undefined): Edit[] {
  const names = new Set(['*', ...servers.map(({ name }) => name)])
  return rules
    .filter((rule) => rule.project === project && names.has(rule.server))
    .map(({ effect, rule }) => ({ path: ['policy', effect], append: { ...rule } }))
}

/** Inputs to ask a person for: only those that these servers refer to. */
export function inputsFor(
  { inputs }: Pick<ImportPlan, 'inputs'>,
  servers: readonly PlannedServer[],
): readonly FoundInput[] {
  const text = JSON.stringify(servers.map(({ entry }) => entry))
  return inputs.filter(({ id }) => text.includes(`\${input:${id}}`))
}

function inputValue({ id, description, password, options, default: proposed }: FoundInput): Value {
  return {
    ...{ id, type: options ? 'pickString' : 'promptString', description },
    ...(proposed !== undefined && { default: proposed }),
    ...(options && { options }),
    ...(password && { password }),
  }
}
