import { programPath } from '@trunkline/base/find-program'
import { type Client, type Fields, McpError } from '@trunkline/mcp'
import type { Requirements } from '@trunkline/mcp/contract'
import { contractKey } from '../contract-key.ts'
import type { ProgramLaunch } from '../launch.ts'
import { declaredRequirements, type StartedProgram, sound } from './declared.ts'
import { type MissingNeed, missingNeed } from './missing-need.ts'

/** Refuses to start a program if a requirement of its package is missing. */
export async function refuseWithoutNeeds(launch: ProgramLaunch, source: string | undefined): Promise<void> {
  const requires = needsOf(launch)
  const missing = requires && (await missingNeed(requires, started(launch)))
  if (missing) throw new McpError('Spawn', `${missing.line}; ${fixOf(missing, source)}`)
}

/** Missing requirements of a running server, in words for a person; undefined when nothing is missing. */
export async function lackingOf(
  { capabilities }: Client,
  launch: ProgramLaunch,
  source: string | undefined,
): Promise<string | undefined> {
  const declared = (capabilities.extensions as Fields | undefined)?.[contractKey] as Fields | undefined
  const { requires } = declared ?? {}
  if (typeof requires !== 'object' || requires === null) return undefined
  const missing = await missingNeed(sound(requires as Requirements), started(launch))
  return missing && `${missing.line}; ${fixOf(missing, source)}`
}

/** Requirements that the package of a program declares, in words for the person who accepts it. */
export function needsInWords(launch: ProgramLaunch): readonly string[] {
  const { env = [], files = [], network = [], credentials = [], programs, runtime } = needsOf(launch) ?? {}
  return [
    ...env.map((name) => `the variable ${name}`),
    ...files.map((path) => `the file "${path}"`),
    ...Object.entries({ ...programs, ...runtime }).map(([name, range]) => `the program "${name}" ${range}`),
    ...network.map((host) => `to reach ${host}`),
    ...credentials.map((service) => `an account at ${service}`),
  ]
}

function needsOf(launch: ProgramLaunch): Requirements | undefined {
  return saidByPackage(launch, declaredRequirements)
}

/** Declaration in the package of a program. */
export function saidByPackage<Said>(
  launch: ProgramLaunch,
  read: (program: StartedProgram, path: string) => Said | undefined,
): Said | undefined {
  const program = started(launch)
  const path = programPath(launch.command, { path: program.env?.PATH ?? process.env.PATH, cwd: launch.cwd })
  return path === undefined ? undefined : read(program, path)
}

function started({ command, args, cwd, env, base }: ProgramLaunch): StartedProgram {
  return { command, args, cwd, env: { ...base, ...env } }
}

function fixOf({ kind, name, range }: MissingNeed, source: string | undefined): string {
  const where = source === undefined ? '' : ` (${source})`
  if (kind === 'variable') return `set it under "env" of this server${where}`
  if (kind === 'file') return `create it, or set another "cwd" for this server${where}`
  if (kind === 'program') return `install it, or set PATH under "env" of this server${where}`
  return `install "${name}" ${range}`
}
