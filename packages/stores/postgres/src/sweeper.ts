import { type Database, nowMs } from './database.ts'

const everyMs = 60_000
/** The most rows that one sweep deletes of one table, so that it stays short. */
const mostRows = 1_000

/** A table whose rows expire: the column with the time, and the age that a row may reach. */
export interface Expiring {
  readonly table: string
  readonly column: string
  readonly ageMs: number
}

/** Deletes expired rows, at most once a minute and process; processes that sweep at the same time skip each other's rows. */
export class Sweeper {
  readonly #database: Database
  readonly #expiring: readonly Expiring[]
  #sweptAt = Number.NEGATIVE_INFINITY
  #sweep: Promise<void> = Promise.resolve()

  constructor(database: Database, expiring: readonly Expiring[]) {
    this.#database = database
    this.#expiring = expiring
  }

  /** Sweeps, unless that was done a moment ago, without being waited for; what fails is swept a minute later. */
  sometimes(): void {
    if (performance.now() - this.#sweptAt < everyMs) return
    this.#sweptAt = performance.now()
    this.#sweep = this.#all().catch(() => {})
  }

  /** Waits for the sweep that runs. */
  over(): Promise<void> {
    return this.#sweep
  }

  async #all(): Promise<void> {
    for (const { table, column, ageMs } of this.#expiring)
      await this.#database.query(
        `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM ${table} WHERE ${column} <= ${nowMs} - $1 LIMIT ${mostRows} FOR UPDATE SKIP LOCKED))`,
        [ageMs],
      )
  }
}
