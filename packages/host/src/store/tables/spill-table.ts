import type { DatabaseSync } from 'node:sqlite'
import type { ServerKey } from '../../act/server-key.ts'
import type { Migrations } from '../migrations.ts'
import type { Store } from '../store.ts'

/** The table of results that were too large to be passed on. */
export const spillTables: Migrations = {
  room: 'spills',
  steps: [
    `CREATE TABLE spill (
       number INTEGER PRIMARY KEY,
       id TEXT NOT NULL UNIQUE,
       principal TEXT NOT NULL,
       server TEXT NOT NULL,
       target TEXT NOT NULL,
       at INTEGER NOT NULL,
       bytes INTEGER NOT NULL,
       result TEXT NOT NULL
     ) STRICT;
     CREATE INDEX spill_of ON spill (principal, number);
     CREATE INDEX spill_at ON spill (at)`,
  ],
}

/** A result that was too large to be passed on. */
export interface SpillRow {
  readonly id: string
  readonly server: ServerKey
  readonly target: string
  readonly at: number
  readonly bytes: number
  /** The result as JSON. */
  readonly result: string
}

/** Number and size of a result. */
export interface SpillSize {
  readonly number: number
  readonly bytes: number
}

/** Results that were too large to be passed on. */
export class SpillTable {
  readonly #database: DatabaseSync

  constructor({ database }: Store) {
    this.#database = database
  }

  /** The principals that have results. */
  principals(): ReadonlySet<string> {
    const rows = this.#database.prepare('SELECT DISTINCT principal FROM spill').all()
    return new Set(rows.map(({ principal }) => String(principal)))
  }

  insert(principal: string, { id, server, target, at, bytes, result }: SpillRow): void {
    this.#database
      .prepare('INSERT INTO spill (id, principal, server, target, at, bytes, result) VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(id, principal, server, target, at, bytes, result)
  }

  /** A result of a principal that was kept after a time. */
  find(principal: string, id: string, since: number): SpillRow | undefined {
    const row = this.#database
      .prepare('SELECT * FROM spill WHERE id = ? AND principal = ? AND at > ?')
      .get(id, principal, since)
    if (!row) return undefined
    const { server, target, at, bytes, result } = row
    return {
      id,
      server: String(server),
      target: String(target),
      at: Number(at),
      bytes: Number(bytes),
      result: String(result),
    }
  }

  /** The server of such a result, without reading it. */
  serverOf(principal: string, id: string, since: number): ServerKey | undefined {
    const row = this.#database
      .prepare('SELECT server FROM spill WHERE id = ? AND principal = ? AND at > ?')
      .get(id, principal, since)
    return row && String(row.server)
  }

  /** Sizes of the results of a principal, newest first; of all without one. */
  sizes(principal?: string): readonly SpillSize[] {
    const rows =
      principal === undefined
        ? this.#database.prepare('SELECT number, bytes FROM spill ORDER BY number DESC').all()
        : this.#database
            .prepare('SELECT number, bytes FROM spill WHERE principal = ? ORDER BY number DESC')
            .all(principal)
    return rows.map(({ number, bytes }) => ({ number: Number(number), bytes: Number(bytes) }))
  }

  remove(numbers: readonly number[]): void {
    const remove = this.#database.prepare('DELETE FROM spill WHERE number = ?')
    for (const number of numbers) remove.run(number)
  }

  /** Removes results kept up to a time; returns their number. */
  removeUpTo(time: number): number {
    return Number(this.#database.prepare('DELETE FROM spill WHERE at <= ?').run(time).changes)
  }
}
