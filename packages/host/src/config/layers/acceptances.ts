import type { Store } from '../../store/store.ts'
import { AcceptanceTable } from '../../store/tables/acceptance-table.ts'
import type { Permits } from './permits.ts'

/** The accepted files of projects, each as it was then. */
export class Acceptances {
  readonly #store: Store
  readonly #table: AcceptanceTable

  constructor(store: Store) {
    this.#store = store
    this.#table = new AcceptanceTable(store)
  }

  /** True if exactly this was accepted. */
  has({ file, hash }: Permits): boolean {
    return this.#table.find(file)?.hash === hash
  }

  /** The last acceptance of a file, to show the differences; undefined if there was none. */
  last(file: string): Permits | undefined {
    const found = this.#table.find(file)
    return found && { file, hash: found.hash, settings: JSON.parse(found.settings) as Permits['settings'] }
  }

  /** Accepts the present permits of a file; any change to them has to be accepted again. */
  accept({ file, hash, settings }: Permits, at: number): Promise<void> {
    return this.#store.durable(() => this.#table.put(file, { hash, settings: JSON.stringify(settings) }, at))
  }

  /** Takes an acceptance back. */
  revoke(file: string): Promise<void> {
    return this.#store.durable(() => this.#table.remove(file))
  }
}
