import type { Migrations } from '../../store/migrations.ts'
import type { Store } from '../../store/store.ts'
import type { Permits } from './permits.ts'

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

/** The accepted files of projects, each as it was then. */
export class Acceptances {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /** True if exactly this was accepted. */
  has({ file, hash }: Permits): boolean {
    return this.#row(file)?.hash === hash
  }

  /** The last acceptance of a file, to show the differences; undefined if there was none. */
  last(file: string): Permits | undefined {
    const row = this.#row(file)
    if (row === undefined) return undefined
    return { file, hash: String(row.hash), settings: JSON.parse(String(row.settings)) as Permits['settings'] }
  }

  /** Accepts the present permits of a file; any change to them has to be accepted again. */
  accept({ file, hash, settings }: Permits, at: number): Promise<void> {
    const sql = `INSERT INTO accepted_file (file, hash, settings, at) VALUES (?, ?, ?, ?)
      ON CONFLICT (file) DO UPDATE SET hash = excluded.hash, settings = excluded.settings, at = excluded.at`
    return this.#store.durable(() => this.#store.database.prepare(sql).run(file, hash, JSON.stringify(settings), at))
  }

  /** Takes an acceptance back. */
  revoke(file: string): Promise<void> {
    return this.#store.durable(() => this.#store.database.prepare('DELETE FROM accepted_file WHERE file = ?').run(file))
  }

  #row(file: string) {
    return this.#store.database.prepare('SELECT hash, settings FROM accepted_file WHERE file = ?').get(file)
  }
}
