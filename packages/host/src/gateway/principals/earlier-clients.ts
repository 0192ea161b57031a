import type { Store } from '../../store/store.ts'
import { EarlierClientTable } from '../../store/tables/earlier-client-table.ts'

/**
 * Clients that were added before clients were bound to programs. The migration lists those that have a token or had
 * connected; no row is added later but for clients that a person decided about.
 */
export class EarlierClients {
  readonly #store: Store
  readonly #table: EarlierClientTable
  /** Clients that `trunkline install` of such a version connected. */
  readonly #installed: () => Promise<readonly string[]>

  constructor(store: Store, installed: () => Promise<readonly string[]>) {
    this.#store = store
    this.#table = new EarlierClientTable(store)
    this.#installed = installed
  }

  /** The names of those that no person has decided about since, in order. */
  async unseen(): Promise<readonly string[]> {
    const installed = (await this.#installed()).filter((name) => this.#table.decidedBy(name) === undefined)
    return [...new Set([...installed, ...this.#table.undecided()])].sort()
  }

  /** A person looked at these clients: the first program that connects is theirs, or each is asked about. */
  decide(names: readonly string[], by: 'person' | 'nobody'): Promise<void> {
    return this.#store.durable(() => {
      for (const name of names) this.#table.put(name, by)
    })
  }

  /** True if a person refused the client found under a name, and has not added one of that name since. */
  isRefused(name: string): boolean {
    return this.#table.decidedBy(name) === 'nobody'
  }
}
