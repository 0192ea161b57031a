import type { Store } from '../../store/store.ts'
import { type ClientProgramRow, ClientProgramTable } from '../../store/tables/client-program-table.ts'

/** A program that may start a client, as it was found. */
export type PinnedProgram = ClientProgramRow

/** Programs of one client; beyond it the one that was accepted first is forgotten, and asked about again. */
const maxPrograms = 16

/** The programs that may start each client: those that a person accepted, and the first of a client that they added. */
export class ClientPrograms {
  readonly #store: Store
  readonly #table: ClientProgramTable

  constructor(store: Store) {
    this.#store = store
    this.#table = new ClientProgramTable(store)
  }

  /** The programs of a principal, first accepted first. */
  of(principal: string): readonly PinnedProgram[] {
    return this.#table.of(principal)
  }

  /** Accepts a program as one that starts this client. */
  async add(principal: string, program: Omit<PinnedProgram, 'at'>): Promise<void> {
    await this.#store.durable(() => {
      this.#table.removeOrphans()
      this.#table.put(principal, { ...program, at: Date.now() })
      this.#table.keepNewest(principal, maxPrograms)
    })
  }

  /** Forgets the programs of a principal, so that each of them is a question again. */
  forget(principal: string): Promise<void> {
    return this.#store.durable(() => this.#table.remove(principal))
  }
}
