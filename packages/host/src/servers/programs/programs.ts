import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Slots, SlotsFull } from '@trunkline/base/slots'
import type { ServerKey } from '../../act/server-key.ts'
import type { Store } from '../../store/store.ts'
import { ProgramTable, type StoredProgram } from '../../store/tables/program-table.ts'
import { commandHash, type Launch, type ProgramLaunch } from '../launch.ts'
import type { Unresolved } from '../server-spec.ts'
import { fetchProblem } from './fetch-problem.ts'
import { managers } from './managers.ts'
import { type PackageCommand, packageCommand } from './package-command.ts'
import type { InstallScript } from './package-manager.ts'
import type { ManagerOptions } from './run-manager.ts'

export interface ProgramsOptions {
  /** The folder that programs are installed in. */
  readonly folder: string
  /** The environment of package managers; they are the person's own. @default this process's */
  environment?(): { readonly [name: string]: string | undefined }
  /** Programs that wait to be installed; more are refused. @default 100 */
  readonly maxWaitingInstalls?: number
}

/** A package that a person can look at before anything of it runs. */
export interface Unpacked {
  readonly program: StoredProgram
  /** Scripts that installing it would run. */
  readonly scripts: readonly InstallScript[]
  readonly launch: Launch
}

/** A program with its version as people and locks write it, and the digest of its package. */
export interface ProgramLabel {
  readonly program: string
  readonly integrity?: string
}

/** Package managers want much of the disk and the network, and wait for the network most of the time. */
const installsAtOnce = 4
const usualWaitingInstalls = 100

/** Programs at the version that was accepted, each in a folder of its own; to start one, nothing is fetched. */
export class Programs {
  readonly #options: ProgramsOptions
  readonly #store: Store
  readonly #table: ProgramTable
  readonly #places: Slots
  readonly #installing = new Set<string>()

  constructor(store: Store, options: ProgramsOptions) {
    this.#store = store
    this.#options = options
    this.#places = new Slots(installsAtOnce, options.maxWaitingInstalls ?? usualWaitingInstalls)
    this.#table = new ProgramTable(store)
  }

  /** The package that a launch fetches; undefined when it fetches none. */
  commandOf(launch: Launch): PackageCommand | undefined {
    // on Windows package managers are scripts that only a shell can start
    if (launch.kind !== 'program' || process.platform === 'win32') return undefined
    return packageCommand(launch.command, launch.args, launch.cwd)
  }

  /** The program that was accepted for a server. */
  of(server: ServerKey): StoredProgram | undefined {
    return this.#table.get(server)
  }

  /** Package and version of the accepted program, as locks and people write it. */
  labelOf(server: ServerKey): string | undefined {
    return this.lockedOf(server)?.program
  }

  /** The accepted program with the digest of its package, for locks. */
  lockedOf(server: ServerKey): ProgramLabel | undefined {
    const stored = this.#table.get(server)
    return stored && lockedProgram(stored)
  }

  /** Launch of a server: from its own folder if it was installed. */
  launchOf(server: ServerKey, launch: Launch): Launch | Unresolved {
    const command = this.commandOf(launch)
    const stored = command && this.#table.get(server)
    if (!command || stored?.command !== commandHash(launch)) return launch
    if (existsSync(stored.path)) return installedLaunch(launch as ProgramLaunch, command, stored)
    const needs = `its program is gone from "${stored.folder}"`
    return { kind: 'unresolved', needs, hint: `install it again with "trunkline update ${server}"` }
  }

  /** Fetches the package of a launch, for a person to look at, and runs nothing of it; it is kept when it is accepted. */
  async unpack(launch: Launch): Promise<Unpacked | undefined> {
    const command = this.commandOf(launch)
    if (!command) return undefined
    const folder = join(this.#options.folder, `${slug(command.wanted)}-${randomBytes(6).toString('hex')}`)
    const release = await this.#place(command)
    this.#installing.add(folder)
    try {
      const { manager } = command
      const unpacked = await managers[manager].unpack(command, folder, this.#manager(launch as ProgramLaunch))
      const { scripts, ...installed } = unpacked
      const program = { ...installed, manager, folder, command: commandHash(launch) }
      return { program, scripts, launch: installedLaunch(launch as ProgramLaunch, command, program) }
    } catch (error) {
      await this.discard(folder)
      throw new Error(`Cannot install "${command.wanted}": ${fetchProblem(error)}`, { cause: error })
    } finally {
      release()
    }
  }

  /** Runs the install scripts of an unpacked package, which a person has agreed to. */
  async runScripts(launch: Launch, { program, scripts }: Unpacked): Promise<StoredProgram> {
    const command = this.commandOf(launch)
    if (!command || scripts.length === 0) return program
    const release = await this.#place(command)
    try {
      const options = this.#manager(launch as ProgramLaunch)
      return { ...program, ...(await managers[program.manager].runScripts(command, program.folder, options)) }
    } catch (error) {
      throw new Error(`Cannot install "${command.wanted}": ${error instanceof Error ? error.message : error}`, {
        cause: error,
      })
    } finally {
      release()
    }
  }

  /** From now on the server runs this program; the one it ran before is removed when the host starts next. */
  async accept(server: ServerKey, program: StoredProgram): Promise<void> {
    await this.#store.durable(() => this.#table.put(server, program))
    this.#installing.delete(program.folder)
  }

  /** Copies the program of another server, which is the same except for the settings of its tools. */
  async inherit(server: ServerKey, from: ServerKey): Promise<void> {
    const stored = this.#table.get(from)
    if (stored) await this.#store.durable(() => this.#table.put(server, stored))
  }

  /** The newest version that a launch would fetch. */
  async available(launch: Launch): Promise<string | undefined> {
    const command = this.commandOf(launch)
    if (!command) return undefined
    return managers[command.manager].available(command, this.#manager(launch as ProgramLaunch))
  }

  /** Removes an installed package that was not accepted. */
  async discard(folder: string): Promise<void> {
    this.#installing.delete(folder)
    await rm(folder, { recursive: true, force: true })
  }

  /** Removes the programs that no server runs any more. */
  async sweep(): Promise<void> {
    const { folder } = this.#options
    const names = await readdir(folder).catch(() => [])
    const kept = this.#table.folders()
    const unused = names.map((name) => join(folder, name)).filter((one) => !kept.has(one) && !this.#installing.has(one))
    await Promise.all(unused.map((one) => rm(one, { recursive: true, force: true })))
  }

  async #place({ wanted }: PackageCommand): Promise<() => void> {
    try {
      return await this.#places.take()
    } catch (error) {
      if (!(error instanceof SlotsFull)) throw error
      throw new Error(`Cannot install "${wanted}": ${error.message}; try again when they are installed`)
    }
  }

  #manager({ cwd, base }: ProgramLaunch): ManagerOptions {
    const environment = this.#options.environment?.() ?? process.env
    return { cwd, environment: { ...environment, ...(base?.PATH !== undefined && { PATH: base.PATH }) } }
  }
}

/** A program with its version, and the digest of its package, as locks hold them. */
export function lockedProgram({ manager, package: name, version, integrity }: StoredProgram): ProgramLabel {
  return { program: `${manager}:${name}@${version}`, ...(integrity !== undefined && { integrity }) }
}

function installedLaunch(launch: ProgramLaunch, { args }: PackageCommand, { path }: { readonly path: string }): Launch {
  return { ...launch, command: path, args }
}

function slug(wanted: string): string {
  return wanted.replace(/[^A-Za-z0-9._-]+/g, '-').slice(-60)
}
