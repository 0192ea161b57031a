import type { Store } from '../../store/store.ts'

/**
 * Clients that were added before clients were bound to programs. The migration lists those that have a token or had
 * connected; no row is added later but for clients that a person decided about.
 */
export class EarlierClients {
  readonly #store: Store
  /** Clients that `trunkline install` of such a version connected. */
  readonly #installed: () => Promise<readonly string[]>

  constructor(store: Store, installed: () => Promise<readonly string[]>) {
    this.#store = store
    this.#installed = installed
  }

  /** The names of those that no person has decided about since, in order. */
  async unseen(): Promise<readonly string[]> {
    const installed = (await this.#installed()).filter((name) => this.#decidedBy(name) === undefined)
    const rows = this.#store.database
      .prepare(
        `SELECT name FROM earlier_client JOIN principal USING (name)
         WHERE decided_by = 'found' AND revoked_at IS NULL`,
      )
      .all()
    return [...new Set([...installed, ...rows.map(({ name }) => String(name))])].sort()
  }

  /** A person looked at these clients: the first program that connects is theirs, or each is asked about. */
  decide(names: readonly string[], by: 'person' | 'nobody'): Promise<void> {
    const put = this.#store.database.prepare('INSERT OR REPLACE INTO earlier_client (name, decided_by) VALUES (?, ?)')
    return this.#store.durable(() => {
      for (const name of names) put.run(name, by)
    })
  }

  /** True if a person refused the client found under a name, and has not added one of that name since. */
  isRefused(name: string): boolean {
    return this.#decidedBy(name) === 'nobody'
  }

  #decidedBy(name: string): string | undefined {
    const row = this.#store.database.prepare('SELECT decided_by FROM earlier_client WHERE name = ?').get(name)
    return row && String(row.decided_by)
  }
}
