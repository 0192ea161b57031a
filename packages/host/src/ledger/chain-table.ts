import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { chainStart, type WrittenLine } from './chain.ts'
import type { ChainState, SignedChain } from './signing.ts'

/** A place in the chain. */
export interface ChainPlace {
  readonly number: number
  readonly hash: string
}

/** Reads the chain as the store has it. */
export class ChainTable implements SignedChain {
  readonly database: DatabaseSync
  readonly #last: StatementSync

  constructor(database: DatabaseSync) {
    this.database = database
    this.#last = database.prepare('SELECT number, hash FROM ledger_line ORDER BY number DESC LIMIT 1')
  }

  /** The last line. */
  end(): ChainPlace {
    const row = this.#last.get()
    return row ? { number: Number(row.number), hash: String(row.hash) } : this.cut()
  }

  /** The place where older lines were removed; before the first line where none were. */
  cut(): ChainPlace {
    const newest = 'SELECT number, hash FROM ledger_checkpoint ORDER BY number DESC LIMIT 1'
    const row = this.database.prepare(newest).get()
    return row ? { number: Number(row.number), hash: String(row.hash) } : { number: 0, hash: chainStart }
  }

  state(): ChainState {
    return { ...this.end(), first: this.cut().number + 1 }
  }

  hashOf(number: number): string | undefined {
    const cut = this.cut()
    if (number === cut.number) return cut.hash
    const row = this.database.prepare('SELECT hash FROM ledger_line WHERE number = ?').get(number)
    return row && String(row.hash)
  }

  /** Number of lines kept. */
  count(): number {
    return Number(this.database.prepare('SELECT count(*) AS count FROM ledger_line').get()?.count)
  }

  /** Every line that is left between two numbers, oldest first, as it was written. */
  *lines(after = 0, upTo = Number.MAX_SAFE_INTEGER): Generator<WrittenLine> {
    const rows = this.database
      .prepare(
        'SELECT number, at, text, previous, hash FROM ledger_line WHERE number > ? AND number <= ? ORDER BY number',
      )
      .iterate(after, upTo)
    for (const row of rows) yield row as unknown as WrittenLine
  }
}
