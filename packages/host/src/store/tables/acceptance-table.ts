import type { DatabaseSync } from 'node:sqlite'
import type { Migrations } from '../migrations.ts'
import type { Store } from '../store.ts'

/** The table of accepted files. */
export const acceptanceTables: Migrations = {
  room: 'config',
  steps: [
    `CREATE TABLE accepted_file (
      file TEXT PRIMARY KEY,
      hash TEXT NOT NULL,
      settings TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT`,
  ],
}

/** A file as it was accepted. */
export interface AcceptanceRow {
  readonly hash: string
  /** The permitting settings as JSON. */
  readonly settings: string
}

/** The accepted files. */
export class AcceptanceTable {
  readonly #database: DatabaseSync

  constructor({ database }: Store) {
    this.#database = database
  }

  find(file: string): AcceptanceRow | undefined {
    const row = this.#database.prepare('SELECT hash, settings FROM accepted_file WHERE file = ?').get(file)
    return row && { hash: String(row.hash), settings: String(row.settings) }
  }

  put(file: string, { hash, settings }: AcceptanceRow, at: number): void {
    const sql = `INSERT INTO accepted_file (file, hash, settings, at) VALUES (?, ?, ?, ?)
      ON CONFLICT (file) DO UPDATE SET hash = excluded.hash, settings = excluded.settings, at = excluded.at`
    this.#database.prepare(sql).run(file, hash, settings, at)
  }

  remove(file: string): void {
    this.#database.prepare('DELETE FROM accepted_file WHERE file = ?').run(file)
  }
}
