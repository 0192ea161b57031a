import type { DatabaseSync } from 'node:sqlite'
import type { Store } from '../store.ts'

/** Clients that were added before clients were bound to programs. The migration lists them. */
export class EarlierClientTable {
  readonly #database: DatabaseSync

  constructor({ database }: Store) {
    this.#database = database
  }

  /** The names of those that may call and that no person has decided about. */
  undecided(): readonly string[] {
    const rows = this.#database
      .prepare(
        `SELECT name FROM earlier_client JOIN principal USING (name)
         WHERE decided_by = 'found' AND revoked_at IS NULL`,
      )
      .all()
    return rows.map(({ name }) => String(name))
  }

  decidedBy(name: string): string | undefined {
    const row = this.#database.prepare('SELECT decided_by FROM earlier_client WHERE name = ?').get(name)
    return row && String(row.decided_by)
  }

  put(name: string, decidedBy: 'person' | 'nobody'): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO earlier_client (name, decided_by) VALUES (?, ?)')
      .run(name, decidedBy)
  }

  remove(name: string): void {
    this.#database.prepare('DELETE FROM earlier_client WHERE name = ?').run(name)
  }
}
