import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { ServerKey } from '../../act/server-key.ts'
import type { Store } from '../store.ts'

/** The owner of an address or template in a project. */
export interface UriOwnerRow {
  /** Empty where there is none. */
  readonly project: string
  readonly kind: 'resource' | 'template'
  readonly text: string
  readonly server: ServerKey
}

/** Owners of addresses and templates. */
export class UriOwnerTable {
  readonly #database: DatabaseSync
  readonly #add: StatementSync

  constructor({ database }: Store) {
    this.#database = database
    this.#add = database.prepare('INSERT OR IGNORE INTO catalogue_owner VALUES (?, ?, ?, ?)')
  }

  all(): readonly UriOwnerRow[] {
    const rows = this.#database.prepare('SELECT * FROM catalogue_owner').all()
    return rows.map(({ project, kind, text, server }) => ({
      project: String(project),
      kind: kind as UriOwnerRow['kind'],
      text: String(text),
      server: String(server),
    }))
  }

  /** Adds an owner, unless there is one. */
  add({ project, kind, text, server }: UriOwnerRow): void {
    this.#add.run(project, kind, text, server)
  }

  removeServers(servers: readonly ServerKey[]): void {
    const remove = this.#database.prepare('DELETE FROM catalogue_owner WHERE server = ?')
    for (const server of servers) remove.run(server)
  }

  removeProject(project: string): void {
    this.#database.prepare('DELETE FROM catalogue_owner WHERE project = ?').run(project)
  }
}
