import { createHash } from 'node:crypto'
import type { ServerKey } from '../../act/server-key.ts'
import type { Store } from '../../store/store.ts'
import { type BoundProgramRow, BoundProgramTable } from '../../store/tables/bound-program-table.ts'
import { commandHash, type Launch, type ProgramLaunch } from '../launch.ts'
import { FileDigests } from './file-digests.ts'
import { differencesTo, type Fingerprint, fingerprintHash, fingerprintLines, fingerprintOf } from './fingerprint.ts'
import type { Programs } from './programs.ts'

/** The accepted files of a server. */
export interface StoredBinding extends Omit<BoundProgramRow, 'fingerprint'> {
  readonly fingerprint: Fingerprint
}

/** The files that would run for a server, compared with the accepted ones. */
export interface Compared {
  readonly fingerprint: Fingerprint
  /** Undefined while nothing was bound for this command. */
  readonly bound: StoredBinding | undefined
  /** Differences from the accepted state, one sentence each. */
  readonly differences: readonly string[]
}

/** The files that each accepted server runs: its program, the script it is given, and its package. */
export class BoundPrograms {
  readonly #store: Store
  readonly #table: BoundProgramTable
  readonly #programs: Programs
  readonly digests = new FileDigests()

  constructor(store: Store, programs: Programs) {
    this.#store = store
    this.#table = new BoundProgramTable(store)
    this.#programs = programs
  }

  /** The binding of a server, whatever its command. */
  of(server: ServerKey): StoredBinding | undefined {
    const row = this.#table.get(server)
    return row && bindingOf(row)
  }

  /** Restores an earlier binding. */
  restore(server: ServerKey, binding: StoredBinding): Promise<void> {
    const row = { ...binding, fingerprint: JSON.stringify(binding.fingerprint) }
    return this.#store.durable(() => this.#table.put(server, row))
  }

  /** True if files were bound for a server with this command; a remote server has none. */
  has(server: ServerKey, launch: Launch): boolean {
    return launch.kind !== 'program' || this.#boundFor(server, launch) !== undefined
  }

  /** Reads the files of a configured launch; a remote server runs nothing here. */
  async compare(server: ServerKey, launch: Launch): Promise<Compared | undefined> {
    const started = this.#programs.launchOf(server, launch)
    if (started.kind !== 'program') return undefined
    const bound = this.#boundFor(server, launch)
    const fingerprint = await this.#fingerprint(server, launch, started)
    const differences = bound ? await differencesTo(bound.fingerprint, fingerprint, bound.at) : []
    if (bound?.by === 'nobody') differences.push('you refused what it was found to run')
    return { fingerprint, bound, differences }
  }

  /** Accepts a server with exactly these files. */
  bind(
    server: ServerKey,
    launch: Launch,
    { fingerprint, by }: Pick<StoredBinding, 'fingerprint' | 'by'>,
  ): Promise<void> {
    return this.restore(server, { command: commandHash(launch), fingerprint, by, at: Date.now() })
  }

  /** Servers whose files were bound as they were found, and which no person has looked at. */
  get unseen(): readonly { readonly server: ServerKey; readonly binding: StoredBinding }[] {
    const rows = this.#table.all().filter(({ by }) => by === 'found')
    return rows.map(({ server, ...row }) => ({ server, binding: bindingOf(row) }))
  }

  /** Decision of a person about the bindings of these servers: they hold, or count for nothing. */
  decide(servers: readonly ServerKey[], by: 'person' | 'nobody'): Promise<void> {
    return this.#store.durable(() => this.#table.decide(servers, by))
  }

  /** Copies the binding of another server, which is the same except for the settings of its tools. */
  inherit(server: ServerKey, from: ServerKey): Promise<void> {
    return this.#store.durable(() => this.#table.copy(server, from))
  }

  #boundFor(server: ServerKey, launch: Launch): StoredBinding | undefined {
    const bound = this.of(server)
    return bound?.command === commandHash(launch) ? bound : undefined
  }

  #fingerprint(server: ServerKey, launch: Launch, started: ProgramLaunch): Promise<Fingerprint> {
    const stored = started === launch ? undefined : this.#programs.of(server)
    const known = this.#boundFor(server, launch)?.fingerprint
    return fingerprintOf(started, {
      digests: this.digests,
      ...(known && { known }),
      ...(stored && { installed: installedOf(stored) }),
    })
  }
}

function bindingOf(row: BoundProgramRow): StoredBinding {
  return { ...row, fingerprint: JSON.parse(row.fingerprint) as Fingerprint }
}

/** Hash of what a person saw when they accept a server: its command, its files, and the install scripts of its package. */
export function acceptanceHash(launch: Launch, compared: Compared | undefined, scripts: readonly string[]): string {
  if (!compared) return commandHash(launch)
  const seen = [commandHash(launch), fingerprintHash(compared.fingerprint), ...scripts].join('\n')
  return createHash('sha256').update(seen).digest('hex')
}

/** Describes the files that a server would run to a person. */
export function runsInWords(compared: Compared | undefined): readonly string[] {
  return compared ? fingerprintLines(compared.fingerprint) : []
}

function installedOf({ folder, integrity }: { readonly folder: string; readonly integrity?: string | undefined }) {
  return { folder, ...(integrity !== undefined && { integrity }) }
}
