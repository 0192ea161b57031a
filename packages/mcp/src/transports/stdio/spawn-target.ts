import { McpError } from '../../wire/errors.ts'
import { kindOf } from '../../wire/kind-of.ts'
import { isObject } from '../../wire/messages.ts'
import { nearName } from '../../wire/near-name.ts'

/** The program of a server; it is started without a shell. */
export interface SpawnTarget {
  readonly command: string
  readonly args?: readonly string[]
  /** Environment variables to set. */
  readonly env?: Readonly<Record<string, string>>
  /** The environment to start from. @default a few safe variables of this process */
  readonly baseEnv?: Readonly<Record<string, string>>
  /** Names of environment variables to inherit, in addition to these. */
  readonly inheritEnv?: readonly string[]
  /** @default the working directory of this process */
  readonly cwd?: string
}

const members = [
  'command',
  'args',
  'env',
  'baseEnv',
  'inheritEnv',
  'cwd',
] as const satisfies readonly (keyof SpawnTarget)[]

/** Checks the types of a target. */
function checkKinds(target: SpawnTarget): void {
  const problem = misspelt(target) ?? wordsProblem('args', target.args) ?? wordsProblem('inheritEnv', target.inheritEnv)
  if (problem !== undefined) throw misuse(target, problem)
  const { cwd = '' } = target
  for (const member of ['env', 'baseEnv'] as const) {
    const wrong = variablesProblem(member, target[member])
    if (wrong !== undefined) throw misuse(target, wrong)
  }
  if (typeof cwd !== 'string') throw misuse(target, `"cwd" must be a string, not ${kindOf(cwd)}`)
}

// targets from configuration files may have other members
function misspelt(target: SpawnTarget): string | undefined {
  for (const name of Object.keys(target)) {
    const near = members.some((member) => member === name) ? undefined : nearName(name, members)
    if (near !== undefined) return `there is no "${name}"; did you mean "${near}"?`
  }
  return undefined
}

function wordsProblem(name: string, words: unknown = []): string | undefined {
  if (!Array.isArray(words)) return `"${name}" must be a list of strings, not ${kindOf(words)}`
  const other = words.find((word) => typeof word !== 'string')
  return other === undefined ? undefined : `"${name}" must be a list of strings, and one of them is ${kindOf(other)}`
}

function variablesProblem(member: string, variables: unknown = {}): string | undefined {
  if (!isObject(variables)) return `"${member}" must be an object of strings, not ${kindOf(variables)}`
  const [name, value] = Object.entries(variables).find(([, one]) => typeof one !== 'string') ?? []
  return name === undefined ? undefined : `"${member}.${name}" must be a string, not ${kindOf(value)}`
}

function misuse({ command }: SpawnTarget, problem: string): McpError {
  return new McpError('Misuse', `Cannot start ${JSON.stringify(command)}: ${problem}`)
}

/** Refuses line breaks and NUL in a target. */
export function checkTarget(target: SpawnTarget): void {
  const { command, args = [], env = {}, baseEnv = {}, cwd = '' } = target
  checkKinds(target)
  const variables = { env: Object.entries(env).flat(), baseEnv: Object.entries(baseEnv).flat() }
  const parts = { command: [command], args, ...variables, cwd: [cwd] }
  for (const [name, texts] of Object.entries(parts)) {
    if (texts.some((text) => /[\0\r\n]/.test(text))) {
      throw misuse(target, `${name} contains a line break or NUL`)
    }
  }
}
