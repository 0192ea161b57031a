import type { DatabaseSync } from 'node:sqlite'
import type { Store } from '../store.ts'

/** The pages that are signed in, by the hashes of their secrets. */
export class PageLoginTable {
  readonly #database: DatabaseSync

  constructor({ database }: Store) {
    this.#database = database
  }

  insert(hash: string, until: number): void {
    this.#database.prepare('INSERT INTO page_secret (hash, until) VALUES (?, ?)').run(hash, until)
  }

  /** Time until which a page is signed in; undefined if it is unknown. */
  untilOf(hash: string): number | undefined {
    const row = this.#database.prepare('SELECT until FROM page_secret WHERE hash = ?').get(hash)
    return row && Number(row.until)
  }

  /** Removes those beyond a number, oldest first. */
  keepNewest(most: number): void {
    this.#database
      .prepare('DELETE FROM page_secret WHERE hash NOT IN (SELECT hash FROM page_secret ORDER BY rowid DESC LIMIT ?)')
      .run(most)
  }
}
