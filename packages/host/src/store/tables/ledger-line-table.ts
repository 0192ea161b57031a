import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Store } from '../store.ts'

/** A line of the ledger as it was written. */
export interface LedgerLineRow {
  /** Counted from 1, without gaps. */
  readonly number: number
  readonly at: number
  /** The line as JSON. */
  readonly text: string
  /** The hash of the line before. */
  readonly previous: string
  readonly hash: string
}

/** Parts of a line that it can be found by. */
export interface LedgerLineColumns {
  readonly act?: string
  readonly principal?: string
  readonly server?: string
  readonly target?: string
  readonly kind: string
  readonly outcome?: string
  readonly actKind?: string
}

/** Filter of lines; a missing member matches all. */
export interface LedgerLineFilter extends Partial<Omit<LedgerLineColumns, 'actKind'>> {
  /** Times between which it was written. */
  readonly since?: number
  readonly until?: number
  /** Numbers between which it stands. */
  readonly after?: number
  readonly before?: number
  /** Numbers that it is one of. */
  readonly among?: readonly number[]
}

/** The end of a call, or a decision about one, which has no kind of act. */
export interface CallEventRow {
  readonly number: number
  readonly at: number
  readonly act: string
  readonly actKind: string | null
  readonly outcome: string | null
  readonly ms: number | null
}

const columns = ['server', 'target', 'principal', 'act', 'kind', 'outcome'] as const

/** The lines of the ledger. */
export class LedgerLineTable {
  readonly #database: DatabaseSync
  readonly #last: StatementSync
  readonly #insert: StatementSync

  constructor({ database }: Store) {
    this.#database = database
    this.#last = database.prepare('SELECT number, hash FROM ledger_line ORDER BY number DESC LIMIT 1')
    this.#insert = database.prepare(
      `INSERT INTO ledger_line (number, at, text, previous, hash, act, principal, server, target, kind, outcome, act_kind)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
  }

  insert({ number, at, text, previous, hash }: LedgerLineRow, line: LedgerLineColumns): void {
    const { act = null, principal = null, server = null, target = null, kind, outcome = null, actKind = null } = line
    this.#insert.run(number, at, text, previous, hash, act, principal, server, target, kind, outcome, actKind)
  }

  last(): Pick<LedgerLineRow, 'number' | 'hash'> | undefined {
    const row = this.#last.get()
    return row && { number: Number(row.number), hash: String(row.hash) }
  }

  hashOf(number: number): string | undefined {
    const row = this.#database.prepare('SELECT hash FROM ledger_line WHERE number = ?').get(number)
    return row && String(row.hash)
  }

  count(): number {
    return Number(this.#database.prepare('SELECT count(*) AS count FROM ledger_line').get()?.count)
  }

  /** The lines after one number and up to another, oldest first. */
  *between(after: number, upTo: number): Generator<LedgerLineRow> {
    const rows = this.#database
      .prepare(
        'SELECT number, at, text, previous, hash FROM ledger_line WHERE number > ? AND number <= ? ORDER BY number',
      )
      .iterate(after, upTo)
    for (const row of rows) yield row as unknown as LedgerLineRow
  }

  /** The first line after a number that was written at a time or later. */
  firstSince(time: number, after: number): number | undefined {
    const row = this.#database
      .prepare('SELECT number FROM ledger_line WHERE number > ? AND at >= ? ORDER BY number LIMIT 1')
      .get(after, time)
    return row && Number(row.number)
  }

  /** The latest time of the lines after a number; 0 when there are none. */
  latestAfter(number: number): number {
    const row = this.#database.prepare('SELECT max(at) AS latest FROM ledger_line WHERE number > ?').get(number)
    return Number(row?.latest ?? 0)
  }

  /** The oldest lines up to a number. */
  oldest(upTo: number, most: number): readonly Pick<LedgerLineRow, 'number' | 'hash'>[] {
    const rows = this.#database
      .prepare('SELECT number, hash FROM ledger_line WHERE number <= ? ORDER BY number LIMIT ?')
      .all(upTo, most)
    return rows.map(({ number, hash }) => ({ number: Number(number), hash: String(hash) }))
  }

  removeUpTo(number: number): void {
    this.#database.prepare('DELETE FROM ledger_line WHERE number <= ?').run(number)
  }

  /** Lines that match, newest first. */
  find(filter: LedgerLineFilter, most: number): readonly LedgerLineRow[] {
    const conditions: string[] = []
    const values: SQLInputValue[] = []
    const add = (condition: string, value: SQLInputValue | undefined) => {
      if (value === undefined) return
      conditions.push(condition)
      values.push(value)
    }
    for (const column of columns) add(`${column} = ?`, filter[column])
    add('at >= ?', filter.since)
    add('number > ?', filter.after)
    add('at <= ?', filter.until)
    add('number < ?', filter.before)
    add('number IN (SELECT value FROM json_each(?))', filter.among && JSON.stringify(filter.among))
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
    const rows = this.#database
      .prepare(`SELECT number, at, text, previous, hash FROM ledger_line ${where} ORDER BY number DESC LIMIT ?`)
      .all(...values, most)
    return rows as unknown as readonly LedgerLineRow[]
  }

  /** All lines of some acts, oldest first. */
  ofActs(acts: readonly string[], most: number): readonly LedgerLineRow[] {
    const rows = this.#database
      .prepare(
        `SELECT number, at, text, previous, hash FROM ledger_line
         WHERE act IN (SELECT value FROM json_each(?)) ORDER BY number LIMIT ?`,
      )
      .all(JSON.stringify(acts), most)
    return rows as unknown as readonly LedgerLineRow[]
  }

  /** Ends of calls, and decisions about acts, oldest first. */
  callEvents({ after, since, until, server, principal }: LedgerLineFilter, most: number): readonly CallEventRow[] {
    const rows = this.#database
      .prepare(
        `SELECT number, at, act, act_kind AS actKind, outcome, json_extract(text, '$.ms') AS ms FROM ledger_line
         WHERE number > ? AND at >= ? AND at <= ? AND act IS NOT NULL AND kind IN ('ended', 'decided')
           AND (act_kind = 'call' OR act_kind IS NULL) AND server = coalesce(?, server)
           AND principal = coalesce(?, principal) ORDER BY number LIMIT ?`,
      )
      .all(after ?? 0, since ?? 0, until ?? Number.MAX_SAFE_INTEGER, server ?? null, principal ?? null, most)
    return rows as unknown as readonly CallEventRow[]
  }

  /** Numbers of ended calls since a time, by server and target, among the lines after a number. */
  countCalls(since: number, after: number): readonly { server: string; target: string; calls: number }[] {
    const rows = this.#database
      .prepare(
        `SELECT server, target, count(*) AS calls FROM ledger_line
         WHERE number > ? AND at >= ? AND kind = 'ended' AND act_kind = 'call' AND server IS NOT NULL AND target IS NOT NULL GROUP BY server, target`,
      )
      .all(after, since)
    return rows.map(({ server, target, calls }) => ({
      server: String(server),
      target: String(target),
      calls: Number(calls),
    }))
  }
}
