import type { DatabaseSync } from 'node:sqlite'
import type { Store } from '../store.ts'

/** A place where older lines of the ledger were removed. */
export interface CheckpointRow {
  /** The last removed line. */
  readonly number: number
  readonly at: number
  readonly hash: string
  readonly signature: string
}

/** The checkpoints of the ledger. */
export class CheckpointTable {
  readonly #database: DatabaseSync

  constructor({ database }: Store) {
    this.#database = database
  }

  newest(): Pick<CheckpointRow, 'number' | 'hash'> | undefined {
    const sql = 'SELECT number, hash FROM ledger_checkpoint ORDER BY number DESC LIMIT 1'
    const row = this.#database.prepare(sql).get()
    return row && { number: Number(row.number), hash: String(row.hash) }
  }

  all(): readonly CheckpointRow[] {
    const rows = this.#database.prepare('SELECT number, hash, at, signature FROM ledger_checkpoint').all()
    return rows.map(({ number, at, hash, signature }) => ({
      number: Number(number),
      at: Number(at),
      hash: String(hash),
      signature: String(signature),
    }))
  }

  put({ number, at, hash, signature }: CheckpointRow): void {
    const sql = 'INSERT OR REPLACE INTO ledger_checkpoint (number, at, hash, signature) VALUES (?, ?, ?, ?)'
    this.#database.prepare(sql).run(number, at, hash, signature)
  }

  setSignature(number: number, signature: string): void {
    this.#database.prepare('UPDATE ledger_checkpoint SET signature = ? WHERE number = ?').run(signature, number)
  }

  /** Removes the oldest beyond a number. */
  keepNewest(most: number): void {
    const kept = 'SELECT number FROM ledger_checkpoint ORDER BY number DESC LIMIT ?'
    this.#database.prepare(`DELETE FROM ledger_checkpoint WHERE number NOT IN (${kept})`).run(most)
  }
}
