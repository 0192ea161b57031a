import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Store } from '../store.ts'

/** Latest times of the lines of the ledger up to marked ones. */
export class TimeMarkTable {
  readonly #database: DatabaseSync
  readonly #insert: StatementSync

  constructor({ database }: Store) {
    this.#database = database
    this.#insert = database.prepare('INSERT INTO ledger_time_mark (number, latest) VALUES (?, ?)')
  }

  insert(number: number, latest: number): void {
    this.#insert.run(number, latest)
  }

  newest(): { readonly number: number; readonly latest: number } | undefined {
    const sql = 'SELECT number, latest FROM ledger_time_mark ORDER BY number DESC LIMIT 1'
    const row = this.#database.prepare(sql).get()
    return row && { number: Number(row.number), latest: Number(row.latest) }
  }

  /** A line such that it and all before it are older than a time; 0 when there is none. */
  lineBefore(time: number): number {
    const sql = 'SELECT number FROM ledger_time_mark WHERE latest < ? ORDER BY number DESC LIMIT 1'
    return Number(this.#database.prepare(sql).get(time)?.number ?? 0)
  }

  removeUpTo(number: number): void {
    this.#database.prepare('DELETE FROM ledger_time_mark WHERE number <= ?').run(number)
  }
}
