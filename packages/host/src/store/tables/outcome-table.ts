import type { DatabaseSync } from 'node:sqlite'
import type { Migrations } from '../migrations.ts'
import type { Store } from '../store.ts'

/** The table of outcomes of calls with a key. */
export const outcomeTables: Migrations = {
  room: 'terms',
  steps: [
    `CREATE TABLE outcome (
       number INTEGER PRIMARY KEY,
       key TEXT NOT NULL UNIQUE,
       principal TEXT NOT NULL,
       arguments TEXT NOT NULL,
       expires INTEGER NOT NULL,
       bytes INTEGER NOT NULL,
       result TEXT
     ) STRICT;
     CREATE INDEX outcome_of ON outcome (principal, number);
     CREATE INDEX outcome_expires ON outcome (expires)`,
  ],
}

/** A call with a key. */
export interface OutcomeRow {
  readonly key: string
  readonly principal: string
  /** Hash of its arguments. */
  readonly arguments: string
  readonly expires: number
  readonly bytes: number
}

/** Limits of the kept rows; the oldest go first. */
export interface OutcomeRowLimits {
  readonly maxPerPrincipal: number
  readonly maxTotalBytes: number
}

/** The calls with a key and their results, which are JSON. */
export class OutcomeTable {
  readonly #database: DatabaseSync

  constructor({ database }: Store) {
    this.#database = database
  }

  /** A call that has not expired; its result is missing while it is not known. */
  find(key: string, now: number): { readonly arguments: string; readonly result: string | undefined } | undefined {
    const row = this.#database.prepare('SELECT * FROM outcome WHERE key = ? AND expires > ?').get(key, now)
    if (!row) return undefined
    return { arguments: String(row.arguments), result: row.result === null ? undefined : String(row.result) }
  }

  /** Adds a call without a result. */
  put({ key, principal, arguments: args, expires, bytes }: OutcomeRow): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO outcome (key, principal, arguments, expires, bytes) VALUES (?, ?, ?, ?, ?)')
      .run(key, principal, args, expires, bytes)
  }

  /** Sets the result of a call; returns the principal that made it. */
  setResult(key: string, result: string, bytes: number): string | undefined {
    this.#database.prepare('UPDATE outcome SET result = ?, bytes = ? WHERE key = ?').run(result, bytes, key)
    const row = this.#database.prepare('SELECT principal FROM outcome WHERE key = ?').get(key)
    return row && String(row.principal)
  }

  remove(key: string): void {
    this.#database.prepare('DELETE FROM outcome WHERE key = ?').run(key)
  }

  /** Removes calls that have expired. */
  removeExpired(now: number): void {
    this.#database.prepare('DELETE FROM outcome WHERE expires <= ?').run(now)
  }

  /** Removes the oldest calls of a principal beyond a number, and the oldest of all beyond a size. */
  makeRoom(principal: string, { maxPerPrincipal, maxTotalBytes }: OutcomeRowLimits): void {
    const beyond = 'SELECT number FROM outcome WHERE principal = ? ORDER BY number DESC LIMIT -1 OFFSET ?'
    this.#database.prepare(`DELETE FROM outcome WHERE number IN (${beyond})`).run(principal, maxPerPrincipal)
    const running = 'SELECT number, sum(bytes) OVER (ORDER BY number DESC) AS sum FROM outcome'
    this.#database
      .prepare(`DELETE FROM outcome WHERE number IN (SELECT number FROM (${running}) WHERE sum > ?)`)
      .run(maxTotalBytes)
  }

  size(): { readonly rows: number; readonly bytes: number } {
    const row = this.#database.prepare('SELECT count(*) AS rows, total(bytes) AS bytes FROM outcome').get()
    return { rows: Number(row?.rows), bytes: Number(row?.bytes) }
  }
}
