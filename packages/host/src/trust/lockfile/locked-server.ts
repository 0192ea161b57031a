import type { AcceptedEntry } from '../../catalogue/catalogue.ts'
import type { ServerEntry } from '../../config/schema/server-entry.ts'
import type { LockedServer } from './lockfile.ts'

/** The locked command of a server, without its definitions. */
export type LockedCommand = Pick<LockedServer, 'command' | 'cwd' | 'environment' | 'url' | 'headers'>

/** The command or address as it is written, so that the lock is the same on every machine and holds no secret. */
export function lockedCommand({ command, args = [], cwd, env, url, headers }: ServerEntry): LockedCommand {
  return {
    ...(command !== undefined && { command: [command, ...args] }),
    ...(cwd !== undefined && { cwd }),
    ...(env && Object.keys(env).length > 0 && { environment: Object.keys(env).sort() }),
    ...(url !== undefined && { url }),
    ...(headers && Object.keys(headers).length > 0 && { headers: Object.keys(headers).sort() }),
  }
}

/** The package that a server runs, at the version that was accepted. */
export interface LockedProgram {
  readonly program: string
  /** Its digest, as the registry gave it. */
  readonly integrity?: string
}

/** The accepted state of a server in the form of its lock. */
export function lockedServerOf(
  entry: ServerEntry,
  accepted: readonly AcceptedEntry[],
  installed: LockedProgram | undefined,
): LockedServer {
  const of = (kind: AcceptedEntry['kind']) => accepted.filter((one) => one.kind === kind)
  const hashes = (kind: Exclude<AcceptedEntry['kind'], 'tool'>) =>
    Object.fromEntries(of(kind).map(({ original, hash }) => [original, { hash }]))
  return {
    ...lockedCommand(entry),
    ...(installed && { program: installed.program }),
    ...(installed?.integrity !== undefined && { integrity: installed.integrity }),
    tools: Object.fromEntries(
      of('tool').map(({ original, hash, class: decided }) => [original, { class: decided, hash }]),
    ),
    prompts: hashes('prompt'),
    templates: hashes('template'),
    instructions: hashes('instructions'),
    skills: hashes('skill'),
  }
}
