import type { DatabaseSync } from 'node:sqlite'
import type { ServerName } from '../../act/server-name.ts'
import type { Migrations } from '../migrations.ts'
import type { Store } from '../store.ts'

/** The tables of requests that a person saved under a name. */
export const savedRequestTables: Migrations = {
  room: 'saved requests',
  steps: [
    `CREATE TABLE saved_request (
       server TEXT NOT NULL,
       tool TEXT NOT NULL,
       name TEXT NOT NULL,
       arguments TEXT NOT NULL,
       at INTEGER NOT NULL,
       PRIMARY KEY (server, tool, name)
     ) STRICT`,
  ],
}

/** A saved request of a tool. */
export interface SavedRequestRow {
  readonly name: string
  /** Arguments as JSON. */
  readonly arguments: string
  readonly at: number
}

/** Arguments for tools, saved under names. */
export class SavedRequestTable {
  readonly #database: DatabaseSync

  constructor({ database }: Store) {
    this.#database = database
  }

  /** Requests of a tool, by name. */
  of(server: ServerName, tool: string): readonly SavedRequestRow[] {
    const rows = this.#database
      .prepare('SELECT name, arguments, at FROM saved_request WHERE server = ? AND tool = ? ORDER BY name')
      .all(server, tool)
    return rows as unknown as readonly SavedRequestRow[]
  }

  /** Number of all requests. */
  get count(): number {
    return Number(this.#database.prepare('SELECT count(*) AS count FROM saved_request').get()?.count)
  }

  /** Saves a request in place of one of the same name. */
  put(server: ServerName, tool: string, { name, arguments: given, at }: SavedRequestRow): void {
    const sql = 'INSERT OR REPLACE INTO saved_request (server, tool, name, arguments, at) VALUES (?, ?, ?, ?, ?)'
    this.#database.prepare(sql).run(server, tool, name, given, at)
  }

  /** Removes a request; false if there is none of this name. */
  remove(server: ServerName, tool: string, name: string): boolean {
    const sql = 'DELETE FROM saved_request WHERE server = ? AND tool = ? AND name = ?'
    return this.#database.prepare(sql).run(server, tool, name).changes > 0
  }
}
