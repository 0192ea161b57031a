import { type ServerKey, serverNameOf } from '../act/server-key.ts'
import type { Host } from '../assembly/host.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Config } from '../config/config.ts'
import type { ConfigProblem } from '../config/problem.ts'
import type { ConfiguredSpec } from '../projects/configured-servers.ts'
import { Lockfiles, lockProblems, tightening } from '../trust/lockfile/lockfiles.ts'

export interface ConfiguredLocksParts {
  readonly host: Host
  readonly config: Config
  /** Every server of every project that is open. */
  configured(): readonly ConfiguredSpec[]
  onError(error: unknown, what: string): void
}

/** The locks of the configured servers: they tighten the offers, and hold the acceptances of a person. */
export class ConfiguredLocks {
  readonly files: Lockfiles
  readonly #parts: ConfiguredLocksParts
  readonly #catalogue: Catalogue
  /** Locks are written one after the other. */
  #writing: Promise<unknown> = Promise.resolve()

  constructor(parts: ConfiguredLocksParts) {
    const { host, configured } = parts
    this.#parts = parts
    this.#catalogue = host.catalogue
    this.files = new Lockfiles({
      catalogue: host.catalogue,
      configured: () =>
        configured().map(({ spec: { name: key }, entry, place }) => ({ name: serverNameOf(key), key, entry, place })),
      isAccepted: (server) => host.isAccepted(server),
      programOf: (server) => host.programs.lockedOf(server),
    })
    host.catalogue.onAccept((server) => this.#write(server))
  }

  /** Shows tools as the configuration and the locks want them; returns the problems of locks. */
  async present(): Promise<readonly ConfigProblem[]> {
    const configured = this.#parts.configured()
    const locks = await this.files.read()
    await this.#parts.config.watchLocks(locks.map(({ lock }) => lock.file))
    for (const { lock, servers } of locks) {
      for (const server of servers) {
        const locked = tightening(lock, server)
        const { toolSettings = {} } = configured.find(({ spec }) => spec.name === server.key) ?? {}
        this.#catalogue.present(server.key, { ...toolSettings, ...(locked && { locked }) })
      }
    }
    return lockProblems(locks)
  }

  /** Resolves when everything that was accepted is written. */
  async settled(): Promise<void> {
    await this.#writing
  }

  /** Writes an acceptance to the lock file beside the configuration of the server. */
  #write(server: ServerKey): void {
    this.#writing = this.#writing
      .then(() => this.files.write(new Set([server])))
      .catch((error) => this.#parts.onError(error, `lock of server "${server}"`))
  }
}
