import { serverNameOf } from '../servers/server-key.ts'
import type { Store } from '../store/store.ts'

/** What can be owned: the address of a resource, or a template as it is written. */
export type OwnedKind = 'resource' | 'template'

export interface UriOwnerLimits {
  /** Addresses and templates of one server that are remembered; it owns no more. @default 10_000 */
  readonly maxOwnedPerServer?: number
}

const defaults = { maxOwnedPerServer: 10_000 } as const satisfies UriOwnerLimits

/** Which server an address or template belongs to: the first that came with it, until that server is removed. */
export class UriOwners {
  readonly #store: Store
  readonly #limits: Required<UriOwnerLimits>
  readonly #owners = { resource: new Map<string, string>(), template: new Map<string, string>() }
  readonly #counts = new Map<string, number>()

  constructor(store: Store, limits: UriOwnerLimits = {}) {
    this.#store = store
    this.#limits = { ...defaults, ...limits }
    for (const { kind, text, server } of store.database.prepare('SELECT * FROM catalogue_owner').all())
      this.#note(kind as OwnedKind, String(text), String(server))
  }

  ownerOf(kind: OwnedKind, text: string): string | undefined {
    return this.#owners[kind].get(text)
  }

  /** Takes what nobody owns for a server; tells whether it is the server's now. */
  claim(kind: OwnedKind, text: string, server: string): boolean {
    const owner = this.ownerOf(kind, text)
    if (owner !== undefined) return owner === server
    if ((this.#counts.get(server) ?? 0) >= this.#limits.maxOwnedPerServer) return false
    this.#note(kind, text, server)
    const insert = this.#store.database.prepare('INSERT OR IGNORE INTO catalogue_owner VALUES (?, ?, ?)')
    // what is lost with the process is claimed again by whoever comes first then
    this.#store.batch(() => void insert.run(kind, text, server)).catch(() => {})
    return true
  }

  /** Gives free what servers own that are none of these. */
  async keepOnly(servers: ReadonlySet<string>): Promise<void> {
    const gone = [...this.#counts.keys()].filter(
      // a project that is closed may be opened again
      (server) => !servers.has(server) && serverNameOf(server) === server,
    )
    if (gone.length === 0) return
    for (const owners of Object.values(this.#owners)) {
      for (const [text, server] of owners) if (gone.includes(server)) owners.delete(text)
    }
    for (const server of gone) this.#counts.delete(server)
    const remove = this.#store.database.prepare('DELETE FROM catalogue_owner WHERE server = ?')
    await this.#store.batch(() => {
      for (const server of gone) remove.run(server)
    })
  }

  #note(kind: OwnedKind, text: string, server: string): void {
    this.#owners[kind].set(text, server)
    this.#counts.set(server, (this.#counts.get(server) ?? 0) + 1)
  }
}
