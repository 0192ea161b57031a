import type { LedgerLineTable } from '../store/tables/ledger-line-table.ts'
import type { TimeMarkTable } from '../store/tables/time-mark-table.ts'

/** Lines from one mark to the next. */
const between = 256

/**
 * Marks every 256th line with the latest time up to it, to find lines by time, also where a clock went back. An index of
 * all times would be one more tree to write to with every line.
 */
export class TimeMarks {
  readonly #table: TimeMarkTable
  #latest: number

  constructor(table: TimeMarkTable, lines: LedgerLineTable) {
    this.#table = table
    const { number, latest } = table.newest() ?? { number: 0, latest: 0 }
    this.#latest = Math.max(latest, lines.latestAfter(number))
  }

  /** Notes a line that is being written. The time of one that is taken back may stay: a search looks at more lines then. */
  note(number: number, at: number): void {
    if (at > this.#latest) this.#latest = at
    if (number % between === 0) this.#table.insert(number, this.#latest)
  }
}
