import type { ServerKey } from '../../act/server-key.ts'
import type { ServerName } from '../../act/server-name.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { LockedDefinitions } from '../../catalogue/tool-settings.ts'
import type { LayerName, Place } from '../../config/layers/layer.ts'
import type { ConfigProblem } from '../../config/problem.ts'
import { describeProblem } from '../../config/problem.ts'
import type { ServerEntry } from '../../config/schema/server-entry.ts'
import { withLock } from '../../store/lock-file.ts'
import { writeFileWhole } from '../../store/write-file.ts'
import { type LockedProgram, lockedServerOf } from './locked-server.ts'
import { type Lockfile, lockPathOf, readLockfile } from './lockfile.ts'
import { renderLockfile } from './render.ts'

/** A configured server, as far as its lock is concerned. */
export interface LockableServer {
  readonly name: ServerName
  /** Its key inside the host. */
  readonly key: ServerKey
  readonly entry: ServerEntry
  /** Place of the server's definition; the lock lies beside that file. */
  readonly place: Place
}

/** A lock after it was written. */
export interface WrittenLock {
  readonly file: string
  readonly servers: readonly ServerName[]
  readonly isChanged: boolean
}

export interface LockfilesParts {
  readonly catalogue: Catalogue
  /** Every configured server of the layers that have files. */
  configured(): readonly LockableServer[]
  /** True if a person accepted the server as it is configured now. */
  isAccepted(server: ServerKey): boolean
  /** The package that a server runs, with the version that was accepted. */
  programOf(server: ServerKey): LockedProgram | undefined
}

/** The locks of every layer: read to tighten, written when a person accepts something. */
export class Lockfiles {
  readonly #parts: LockfilesParts

  constructor(parts: LockfilesParts) {
    this.#parts = parts
  }

  /** Every layer's lock with the servers of that layer. */
  async read(): Promise<readonly { readonly lock: Lockfile; readonly servers: readonly LockableServer[] }[]> {
    const byFile = groupByLockfile(this.#parts.configured())
    return Promise.all([...byFile].map(async ([file, servers]) => ({ lock: await readLockfile(file), servers })))
  }

  /** Writes the acceptances of some servers, by their keys, or of all; other servers of the lock stay. */
  async write(only?: ReadonlySet<ServerKey>): Promise<readonly WrittenLock[]> {
    const byFile = groupByLockfile(this.#parts.configured())
    const wanted = [...byFile].filter(([, servers]) => !only || servers.some(({ key }) => only.has(key)))
    return Promise.all(wanted.map(([file, servers]) => this.#writeOne(file, servers, only)))
  }

  #writeOne(file: string, servers: readonly LockableServer[], only?: ReadonlySet<ServerKey>): Promise<WrittenLock> {
    return withLock(`${file}.writing`, async () => {
      const { servers: before, problems, exists } = await readLockfile(file)
      const [problem] = problems
      if (problem) throw new Error(`Cannot write the lock: ${describeProblem(problem)}`)
      const kept = only ? before : pick(before, new Set(servers.map(({ name }) => name)))
      const fresh = servers
        .filter(({ key }) => (!only || only.has(key)) && this.#isSettled(key))
        .map(({ name, key, entry }) => [name, this.#locked(key, entry)] as const)
      const after = { ...kept, ...Object.fromEntries(fresh) }
      const text = renderLockfile(after)
      const isChanged = text !== renderLockfile(before) || !exists
      if (isChanged) await writeFileWhole(file, text)
      return { file, servers: Object.keys(after).sort(), isChanged }
    })
  }

  /** True if the accepted definitions of a server are known. */
  #isSettled(key: ServerKey): boolean {
    return this.#parts.isAccepted(key) && this.#parts.catalogue.isPinned(key)
  }

  #locked(key: ServerKey, entry: ServerEntry) {
    const { catalogue, programOf } = this.#parts
    return lockedServerOf(entry, catalogue.accepted(key), programOf(key))
  }
}

/** The lock of a server if it can only tighten: a repository may have brought it along. */
export function tightening(lock: Lockfile, { name, place }: LockableServer): LockedDefinitions | undefined {
  if (place.layer !== 'project' || !lock.exists) return undefined
  if (lock.problems.length > 0) return {}
  return Object.hasOwn(lock.servers, name) ? (lock.servers[name] as LockedDefinitions) : undefined
}

/** Problems of the locks of the layers. */
export function lockProblems(locks: readonly { readonly lock: Lockfile }[]): readonly ConfigProblem[] {
  return locks.flatMap(({ lock }) => lock.problems)
}

const layersWithFiles: ReadonlySet<LayerName> = new Set(['user', 'project', 'local'])

/** Servers by their lock; one that was not configured in a file has none. */
export function groupByLockfile<Server extends Pick<LockableServer, 'place'>>(
  servers: readonly Server[],
): ReadonlyMap<string, readonly Server[]> {
  const groups = new Map<string, Server[]>()
  for (const server of servers.filter(({ place }) => layersWithFiles.has(place.layer))) {
    const file = lockPathOf(server.place.file)
    groups.set(file, [...(groups.get(file) ?? []), server])
  }
  return groups
}

function pick<Value>(table: { readonly [key: string]: Value }, keys: ReadonlySet<string>): { [key: string]: Value } {
  return Object.fromEntries(Object.entries(table).filter(([key]) => keys.has(key)))
}
