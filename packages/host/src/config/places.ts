import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'
import type { Machine } from './machine.ts'

/** Folders and files of the host. */
export interface Places {
  /** Files that people write: `trunkline.json`, and one folder per project for settings of this person alone. */
  readonly config: string
  /** Files that the host writes: the store, secrets, programs, logs. */
  readonly state: string
  /** The person's own configuration. */
  readonly userFile: string
  /** The database of everything the host must remember. */
  readonly storeFile: string
  readonly secretsFile: string
}

/** The machine this process runs on. */
export function thisMachine(): Machine {
  return { platform: process.platform, home: homedir(), environment: process.env }
}

/** The folders for configuration and state: those of the platform, or all below `TRUNKLINE_HOME`. */
export function findPlaces(machine: Machine): Places {
  const { join, isAbsolute } = machine.platform === 'win32' ? win32 : posix
  const { TRUNKLINE_HOME: home = '' } = machine.environment
  if (home !== '' && !isAbsolute(home)) {
    throw new Error(`Cannot use TRUNKLINE_HOME "${home}": it must be an absolute path`)
  }
  const config = home === '' ? join(configRoot(machine), 'trunkline') : home
  const state = home === '' ? join(stateRoot(machine), 'trunkline') : join(home, 'state')
  return {
    config,
    state,
    userFile: join(config, 'trunkline.json'),
    storeFile: join(state, 'trunkline.db'),
    secretsFile: join(state, 'secrets.json'),
  }
}

/** The file that all people of a project share. */
export function projectFile(root: string): string {
  return posix.join(root, 'trunkline.json')
}

/** The file of one person for one project; it lies outside of the project, where no repository can bring it along. */
export function localFile({ config }: Places, root: string): string {
  const digest = createHash('sha256').update(root).digest('hex').slice(0, 8)
  const name = posix.basename(root.replaceAll('\\', '/')).replace(/[^A-Za-z0-9._-]+/g, '-')
  return posix.join(config, 'projects', `${name}-${digest}`, 'trunkline.json')
}

function configRoot({ platform, home, environment }: Machine): string {
  if (platform === 'win32') return environment.APPDATA ?? win32.join(home, 'AppData', 'Roaming')
  return absolute(environment.XDG_CONFIG_HOME) ?? posix.join(home, '.config')
}

function stateRoot({ platform, home, environment }: Machine): string {
  if (platform === 'win32') return environment.LOCALAPPDATA ?? win32.join(home, 'AppData', 'Local')
  return absolute(environment.XDG_STATE_HOME) ?? posix.join(home, '.local', 'state')
}

/** A relative one counts as none. @see https://specifications.freedesktop.org/basedir-spec/latest/ */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && posix.isAbsolute(path) ? path : undefined
}
