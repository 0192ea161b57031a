import type { Store } from '../store/store.ts'
import { CheckpointTable } from '../store/tables/checkpoint-table.ts'
import { LedgerLineTable } from '../store/tables/ledger-line-table.ts'
import { chainStart, type WrittenLine } from './chain.ts'
import type { ChainState, SignedChain } from './signing.ts'

/** A place in the chain. */
export interface ChainPlace {
  readonly number: number
  readonly hash: string
}

/** The chain as the store has it: its lines, and the checkpoints where older lines were removed. */
export class StoredChain implements SignedChain {
  readonly table: LedgerLineTable
  readonly checkpoints: CheckpointTable

  constructor(store: Store) {
    this.table = new LedgerLineTable(store)
    this.checkpoints = new CheckpointTable(store)
  }

  /** The last line. */
  end(): ChainPlace {
    return this.table.last() ?? this.cut()
  }

  /** The place where older lines were removed; before the first line where none were. */
  cut(): ChainPlace {
    return this.checkpoints.newest() ?? { number: 0, hash: chainStart }
  }

  state(): ChainState {
    return { ...this.end(), first: this.cut().number + 1 }
  }

  hashOf(number: number): string | undefined {
    const cut = this.cut()
    return number === cut.number ? cut.hash : this.table.hashOf(number)
  }

  /** Number of lines kept. */
  count(): number {
    return this.table.count()
  }

  /** Every line that is left between two numbers, oldest first, as it was written. */
  lines(after = 0, upTo = Number.MAX_SAFE_INTEGER): Generator<WrittenLine> {
    return this.table.between(after, upTo)
  }
}
