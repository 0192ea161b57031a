import type { DatabaseSync } from 'node:sqlite'
import type { Store } from '../store.ts'

/** A program that may start a client, as it was found. */
export interface ClientProgramRow {
  /** Its path without the parts that an update changes. */
  readonly key: string
  readonly path: string
  /** The directory that it worked in when it was accepted, where that could be seen. */
  readonly folder?: string
  /** Time of the acceptance, as in `Date.now()`. */
  readonly at: number
}

/** The programs that may start each client. */
export class ClientProgramTable {
  readonly #database: DatabaseSync

  constructor({ database }: Store) {
    this.#database = database
  }

  /** The programs of a principal, first accepted first. */
  of(principal: string): readonly ClientProgramRow[] {
    const rows = this.#database
      .prepare('SELECT program, path, folder, at FROM client_program WHERE principal = ? ORDER BY at, rowid')
      .all(principal)
    return rows.map(({ program, path, folder, at }) => ({
      key: String(program),
      path: String(path),
      ...(folder !== null && { folder: String(folder) }),
      at: Number(at),
    }))
  }

  put(principal: string, { key, path, folder, at }: ClientProgramRow): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO client_program (principal, program, path, folder, at) VALUES (?, ?, ?, ?, ?)')
      .run(principal, key, path, folder ?? null, at)
  }

  /** Removes the programs of a principal beyond a number, first accepted first. */
  keepNewest(principal: string, most: number): void {
    const kept =
      'SELECT rowid FROM client_program WHERE principal = $principal ORDER BY at DESC, rowid DESC LIMIT $most'
    this.#database
      .prepare(`DELETE FROM client_program WHERE principal = $principal AND rowid NOT IN (${kept})`)
      .run({ principal, most })
  }

  /** Removes the programs of principals that are gone. */
  removeOrphans(): void {
    this.#database.prepare('DELETE FROM client_program WHERE principal NOT IN (SELECT id FROM principal)').run()
  }

  remove(principal: string): void {
    this.#database.prepare('DELETE FROM client_program WHERE principal = ?').run(principal)
  }
}
