import { type ServerKey, serverNameOf } from '../act/server-key.ts'
import type { ServerName } from '../act/server-name.ts'
import type { Host } from '../assembly/host.ts'
import type { ConfigProblem } from '../config/problem.ts'
import { parseRule } from '../policy/parse-rule.ts'
import { Policy } from '../policy/policy.ts'
import type { Effect } from '../policy/rule.ts'
import { rulesFromConfig } from '../policy/rules-from-config.ts'
import type { ApiServices } from './services.ts'

/** The policy for the callers of a project, or of none. */
export interface ProjectPolicy {
  readonly policy: Policy
  readonly root: string | undefined
  /** The key of a server that they are offered. */
  keyOf(server: ServerName): ServerKey | undefined
}

/** The policy for callers in a directory, and the project that it is. */
export async function policyIn({ projects }: Host, directory: string | undefined): Promise<ProjectPolicy> {
  const project = directory === undefined ? projects.usual : await projects.open(directory)
  const keyOf = (server: string) => project.servers().find((key) => serverNameOf(key) === server)
  return { policy: project.policy, root: project.project, keyOf }
}

/** A policy that is tried and not put in force. */
export interface PolicyChange {
  /** Instead of the person's own file. */
  readonly text?: string | undefined
  readonly rules?: readonly { readonly effect: Effect; readonly rule: string }[] | undefined
}

const triedAt = { layer: 'flags', file: 'the command line' } as const

/** The policy that would be in force with another text for the person's own file, or with some rules more. */
export async function trialPolicy(
  { host, config, rootOf }: ApiServices,
  { text, rules = [] }: PolicyChange,
  directory: string | undefined,
): Promise<{ readonly policy: Policy; readonly problems: readonly ConfigProblem[] }> {
  const root = await rootOf(directory)
  const changed = text === undefined ? await config.effective(root) : await config.trial(text, root)
  const read = rulesFromConfig(changed)
  const added = rules.map(({ effect, rule }, at) => parseRule(effect, rule, { ...triedAt, line: at + 1 }))
  const { mode } = changed.settings.policy ?? {}
  return {
    policy: new Policy({
      rules: [...read.rules, ...added],
      doubt: read.doubt,
      folderOf: (act) => host.projects.of(act.project).folderOf(act),
      ...(mode && { mode }),
    }),
    problems: text === undefined ? [] : [...changed.problems, ...read.problems],
  }
}
