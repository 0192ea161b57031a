import type { Store } from '../../store/store.ts'

/** A reset that was asked for without the proof. It waits, so that the person can see it and take it back. */
export class ProofReset {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /** Time when it takes effect, as in `Date.now()`; undefined when none was asked for. */
  get dueAt(): number | undefined {
    const row = this.#store.database.prepare('SELECT due_at FROM proof_reset').get()
    return row === undefined ? undefined : Number(row.due_at)
  }

  /** Asks for a reset; one that waits already keeps its time. */
  async ask(waitMs: number): Promise<number> {
    const waiting = this.dueAt
    if (waiting !== undefined) return waiting
    const now = Date.now()
    await this.#store.durable(() => {
      this.#store.database
        .prepare('INSERT INTO proof_reset (id, asked_at, due_at) VALUES (1, ?, ?)')
        .run(now, now + waitMs)
    })
    return now + waitMs
  }

  forget(): Promise<void> {
    return this.#store.durable(() => this.#store.database.exec('DELETE FROM proof_reset'))
  }
}
