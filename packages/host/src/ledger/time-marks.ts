import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** Lines from one mark to the next. */
const between = 256

/**
 * Marks every 256th line with the latest time up to it, to find lines by time, also where a clock went back. An index of
 * all times would be one more tree to write to with every line.
 */
export class TimeMarks {
  readonly #insert: StatementSync
  #latest: number

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare('INSERT INTO ledger_time_mark (number, latest) VALUES (?, ?)')
    this.#latest = latestTime(database)
  }

  /** Notes a line that is being written. The time of one that is taken back may stay: a search looks at more lines then. */
  note(number: number, at: number): void {
    if (at > this.#latest) this.#latest = at
    if (number % between === 0) this.#insert.run(number, this.#latest)
  }
}

/** A line such that it and all before it are older than a time; 0 when there is none. */
export function lineBefore(database: DatabaseSync, time: number): number {
  const row = database
    .prepare('SELECT number FROM ledger_time_mark WHERE latest < ? ORDER BY number DESC LIMIT 1')
    .get(time)
  return Number(row?.number ?? 0)
}

function latestTime(database: DatabaseSync): number {
  const mark = database.prepare('SELECT number, latest FROM ledger_time_mark ORDER BY number DESC LIMIT 1').get()
  const later = database.prepare('SELECT max(at) AS latest FROM ledger_line WHERE number > ?')
  return Math.max(Number(mark?.latest ?? 0), Number(later.get(Number(mark?.number ?? 0))?.latest ?? 0))
}
