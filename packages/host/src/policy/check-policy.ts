import { readFile } from 'node:fs/promises'
import { Config } from '../config/config.ts'
import type { Machine } from '../config/machine.ts'
import { findPlaces } from '../config/places.ts'
import type { ConfigProblem } from '../config/problem.ts'
import type { Rule } from './rule.ts'
import { rulesFromConfig } from './rules-from-config.ts'

/** Result of checking a policy. */
export interface PolicyCheck {
  readonly rules: number
  readonly problems: readonly ConfigProblem[]
}

/** Location of the policy to check. */
export interface PolicyCheckOptions {
  readonly machine: Machine
  /** The project whose layers count besides the person's own. */
  readonly project: string
  /** A file to read instead of all layers. */
  readonly file?: string
}

/** Reads the policy of all layers, or of one file, as a host would, and names everything that is wrong. */
export async function checkPolicy({ machine, project, file }: PolicyCheckOptions): Promise<PolicyCheck> {
  using config = new Config({ places: findPlaces(machine), machine, isAccepted: () => true })
  const effective =
    file === undefined ? await config.effective(project) : await config.trial(await readFile(file, 'utf8'))
  const { problems, rules, reviews } = rulesFromConfig(effective)
  const names = effective.servers.map(({ name }) => name)
  const all = [...effective.problems, ...problems, ...rules.flatMap((rule) => unknownServer(rule, names))]
  const { userFile } = findPlaces(machine)
  return {
    rules: rules.length + reviews.length,
    problems: all.map((one) => (file !== undefined && one.file === userFile ? { ...one, file } : one)),
  }
}

function unknownServer({ server, effect, source }: Rule, names: readonly string[]): ConfigProblem[] {
  // a file of rules alone says nothing of servers
  if (names.length === 0 || server.includes('*') || names.includes(server)) return []
  const { file, line } = source
  const fix = `write one of ${names.join(', ')}, or remove it`
  return [{ file, line, key: `policy.${effect}`, problem: `names "${server}", which is not configured`, fix }]
}
