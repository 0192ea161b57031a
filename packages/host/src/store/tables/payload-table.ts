import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { ServerName } from '../../act/server-name.ts'
import type { Store } from '../store.ts'

/** Arguments and results of a line of the ledger. */
export interface PayloadRow {
  readonly line: number
  readonly at: number
  readonly server: ServerName
  readonly bytes: number
  /** Both as JSON. */
  readonly text: string
}

/** A payload without its text. */
export type PayloadSize = Pick<PayloadRow, 'line' | 'at' | 'bytes'>

/** Arguments and results beside the lines of the ledger, and their noted total. */
export class PayloadTable {
  readonly #database: DatabaseSync
  readonly #insert: StatementSync

  constructor({ database }: Store) {
    this.#database = database
    this.#insert = database.prepare('INSERT INTO ledger_payload (line, at, server, bytes, text) VALUES (?, ?, ?, ?, ?)')
  }

  insert({ line, at, server, bytes, text }: PayloadRow): void {
    this.#insert.run(line, at, server, bytes, text)
  }

  /** The texts of an act, oldest first. */
  textsOf(act: string): readonly string[] {
    const rows = this.#database
      .prepare(
        `SELECT ledger_payload.text FROM ledger_line JOIN ledger_payload ON line = number
         WHERE act = ? ORDER BY number`,
      )
      .all(act)
    return rows.map(({ text }) => String(text))
  }

  /** The oldest ones, read as far as they are looked at. */
  oldest(most: number): Iterable<PayloadSize> {
    const rows = this.#database.prepare('SELECT line, at, bytes FROM ledger_payload ORDER BY line LIMIT ?')
    return rows.iterate(most) as Iterable<unknown> as Iterable<PayloadSize>
  }

  /** The newest line that has one; 0 when none has. */
  newestLine(): number {
    return Number(this.#database.prepare('SELECT max(line) AS line FROM ledger_payload').get()?.line ?? 0)
  }

  /** Removes those of lines up to a number; returns the bytes of each. */
  removeUpTo(line: number): readonly number[] {
    const rows = this.#database.prepare('DELETE FROM ledger_payload WHERE line <= ? RETURNING bytes').all(line)
    return rows.map(({ bytes }) => Number(bytes))
  }

  /** Removes those of a server, and later their words from the pages of the index too; returns the bytes of each. */
  removeServer(server: ServerName): readonly number[] {
    // with age they go as the index is merged: to rewrite all of it every hour would cost more than it is worth
    this.#database.prepare('UPDATE ledger_search_state SET has_remains = 1').run()
    const rows = this.#database.prepare('DELETE FROM ledger_payload WHERE server = ? RETURNING bytes').all(server)
    return rows.map(({ bytes }) => Number(bytes))
  }

  /** The noted total, and the last line that it counts. */
  notedTotal(): { readonly line: number; readonly bytes: number } {
    const row = this.#database.prepare('SELECT line, bytes FROM ledger_payload_total').get()
    return { line: Number(row?.line ?? 0), bytes: Number(row?.bytes ?? 0) }
  }

  noteTotal(line: number, bytes: number): void {
    this.#database.prepare('UPDATE ledger_payload_total SET line = ?, bytes = ?').run(line, bytes)
  }

  /** Number and total size of those of lines after a number. */
  sumsAfter(line: number): { readonly rows: number; readonly bytes: number } {
    const row = this.#database
      .prepare('SELECT count(*) AS rows, total(bytes) AS bytes FROM ledger_payload WHERE line > ?')
      .get(line)
    return { rows: Number(row?.rows), bytes: Number(row?.bytes) }
  }
}
