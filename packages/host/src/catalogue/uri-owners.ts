import { isMarked, type ServerKey } from '../act/server-key.ts'
import type { Store } from '../store/store.ts'
import { UriOwnerTable } from '../store/tables/uri-owner-table.ts'

/** Kind of an owned text: the address of a resource, or a template as it is written. */
export type OwnedKind = 'resource' | 'template'

export interface UriOwnerLimits {
  /** Addresses and templates of one server that are remembered in a project; it owns no more. @default 10_000 */
  readonly maxOwnedPerServer?: number
  /** Addresses of all servers in all projects; those claimed in other projects make room. @default 100_000 */
  readonly maxOwned?: number
}

const defaults = { maxOwnedPerServer: 10_000, maxOwned: 100_000 } as const satisfies UriOwnerLimits

interface OwnersInProject {
  readonly resource: Map<string, ServerKey>
  readonly template: Map<string, ServerKey>
  /** Number of addresses of each server. */
  readonly counts: Map<ServerKey, number>
}

/**
 * Owners of addresses and templates: the first server that came with one in a project, until that server is removed.
 * Callers of one project never see the servers of another, which therefore cannot take an address from them.
 */
export class UriOwners {
  readonly #store: Store
  readonly #table: UriOwnerTable
  readonly #limits: Required<UriOwnerLimits>
  // by project, in the order of the last claim
  readonly #projects = new Map<string, OwnersInProject>()
  #size = 0

  constructor(store: Store, limits: UriOwnerLimits = {}) {
    this.#store = store
    this.#table = new UriOwnerTable(store)
    this.#limits = { ...defaults, ...limits }
    for (const { project, kind, text, server } of this.#table.all()) this.#note(this.#in(project), kind, text, server)
  }

  ownerOf(kind: OwnedKind, text: string, project = ''): ServerKey | undefined {
    return this.#projects.get(project)?.[kind].get(text)
  }

  /** Claims a text for a server unless it has an owner in the project; true if the server owns it now. */
  claim(kind: OwnedKind, text: string, server: ServerKey, project = ''): boolean {
    const owner = this.ownerOf(kind, text, project)
    if (owner !== undefined) return owner === server
    const owners = this.#in(project)
    if ((owners.counts.get(server) ?? 0) >= this.#limits.maxOwnedPerServer) return false
    if (!this.#hasRoom(project)) return false
    this.#note(owners, kind, text, server)
    // a claim lost with the process is made again by the first server that comes then
    this.#store.batch(() => this.#table.add({ project, kind, text, server })).catch(() => {})
    return true
  }

  /** Frees the addresses of servers that are not among these. */
  async keepOnly(servers: ReadonlySet<ServerKey>): Promise<void> {
    const known = new Set([...this.#projects.values()].flatMap(({ counts }) => [...counts.keys()]))
    // a project that is closed may be opened again
    const gone = [...known].filter((server) => !servers.has(server) && !isMarked(server))
    if (gone.length === 0) return
    for (const owners of this.#projects.values()) for (const server of gone) this.#forget(owners, server)
    await this.#store.batch(() => this.#table.removeServers(gone))
  }

  /** The owners of a project, which is the last one to make room from now on. */
  #in(project: string): OwnersInProject {
    const owners = this.#projects.get(project) ?? { resource: new Map(), template: new Map(), counts: new Map() }
    this.#projects.delete(project)
    this.#projects.set(project, owners)
    return owners
  }

  #hasRoom(project: string): boolean {
    for (const [other, owners] of this.#projects) {
      if (this.#size < this.#limits.maxOwned || other === project) break
      for (const server of [...owners.counts.keys()]) this.#forget(owners, server)
      this.#projects.delete(other)
      this.#store.batch(() => this.#table.removeProject(other)).catch(() => {})
    }
    return this.#size < this.#limits.maxOwned
  }

  #forget({ resource, template, counts }: OwnersInProject, gone: string): void {
    this.#size -= counts.get(gone) ?? 0
    counts.delete(gone)
    for (const owners of [resource, template]) {
      for (const [text, server] of owners) if (server === gone) owners.delete(text)
    }
  }

  #note(owners: OwnersInProject, kind: OwnedKind, text: string, server: ServerKey): void {
    owners[kind].set(text, server)
    owners.counts.set(server, (owners.counts.get(server) ?? 0) + 1)
    this.#size += 1
  }
}
