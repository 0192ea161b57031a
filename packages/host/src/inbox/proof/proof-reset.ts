import type { Store } from '../../store/store.ts'
import { ProofResetTable } from '../../store/tables/proof-tables.ts'

/** A reset that was asked for without the proof. It waits, so that the person can see it and take it back. */
export class ProofReset {
  readonly #store: Store
  readonly #table: ProofResetTable

  constructor(store: Store) {
    this.#store = store
    this.#table = new ProofResetTable(store)
  }

  /** Time when it takes effect, as in `Date.now()`; undefined when none was asked for. */
  get dueAt(): number | undefined {
    return this.#table.dueAt()
  }

  /** Asks for a reset; one that waits already keeps its time. */
  async ask(waitMs: number): Promise<number> {
    const waiting = this.dueAt
    if (waiting !== undefined) return waiting
    const now = Date.now()
    await this.#store.durable(() => this.#table.insert(now, now + waitMs))
    return now + waitMs
  }

  forget(): Promise<void> {
    return this.#store.durable(() => this.#table.clear())
  }
}
