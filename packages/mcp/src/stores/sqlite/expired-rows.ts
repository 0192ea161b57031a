import type { SqliteDatabase, SqliteStatement } from './sqlite-database.ts'

const everyMs = 60_000
/** The most rows that one sweep deletes, so that it stays short. */
const mostRows = 1_000

/** Removes what has expired, now and then. */
export class ExpiredRows {
  readonly #file: SqliteDatabase
  readonly #delete: SqliteStatement
  readonly #ageMs: number
  #at = 0

  /** `sql` deletes the rows from before a time, and not more than a number of them; `ageMs` is how old a row may become. */
  constructor(file: SqliteDatabase, sql: string, ageMs = 0) {
    this.#file = file
    this.#delete = file.prepare(sql)
    this.#ageMs = ageMs
  }

  /** Looks for what has expired, unless that was done a moment ago. */
  sometimes(): void {
    const now = Date.now()
    if (now - this.#at < everyMs) return
    // as long as there is more, it is looked for again with the next write
    if (this.#remove() < mostRows) this.#at = now
  }

  /** Runs a write; where it fails, it is tried again if there was something to make room with. */
  makingRoom<Value>(write: () => Value): Value {
    try {
      return write()
    } catch (error) {
      if (this.#remove() === 0) throw error
      while (this.#remove() > 0);
      return write()
    }
  }

  #remove(): number {
    return this.#file.use(() => Number(this.#delete.run(Date.now() - this.#ageMs, mostRows).changes))
  }
}
