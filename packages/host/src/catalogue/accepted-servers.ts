import type { ServerKey } from '../act/server-key.ts'
import type { Store } from '../store/store.ts'
import { AcceptedServerTable, type ServerFailure } from '../store/tables/accepted-server-table.ts'

/** Servers whose command a person accepted, with the facts about each. Callers write within a write of their own. */
export class AcceptedServers {
  readonly #table: AcceptedServerTable
  // the place of each in the order of acceptance; read once per change
  #order: ReadonlyMap<string, number> | undefined

  constructor(store: Store) {
    this.#table = new AcceptedServerTable(store)
  }

  /** True if a person accepted this server with this command. */
  has(server: ServerKey, command: string): boolean {
    return this.#table.get(server)?.command === command
  }

  /** True if the first complete list of a server was accepted. */
  isPinned(server: ServerKey): boolean {
    return this.#table.get(server)?.pinnedAt !== undefined
  }

  /** True if a server has resources; undefined while it was not asked. */
  hasResources(server: ServerKey): boolean | undefined {
    return this.#table.get(server)?.hasResources
  }

  /** Time when a server was accepted first; undefined for one that is not accepted. */
  acceptedAt(server: ServerKey): number | undefined {
    return this.#table.get(server)?.acceptedAt
  }

  /** Last failure of a server; undefined if it has been ready since. */
  failure(server: ServerKey): ServerFailure | undefined {
    return this.#table.get(server)?.failure
  }

  noteFailure(server: ServerKey, failure: ServerFailure | undefined): void {
    this.#table.setFailure(server, failure)
  }

  /** These servers, first accepted first. */
  inOrder(servers: readonly ServerKey[]): readonly ServerKey[] {
    this.#order ??= new Map(this.#table.inOrder().map((server, at) => [server, at]))
    const order = this.#order
    const placeOf = (server: ServerKey): number => order.get(server) ?? order.size
    return servers.toSorted((one, other) => placeOf(one) - placeOf(other))
  }

  /** A server that is accepted again, with another command, keeps its place among the others. */
  accept(server: ServerKey, command: string): void {
    this.#order = undefined
    this.#table.accept(server, command, Date.now())
  }

  /** No command is accepted of it any more; its place and its pins stay. */
  withdraw(server: ServerKey): void {
    const known = this.#table.get(server)
    if (known) this.#table.accept(server, '', known.acceptedAt)
  }

  inherit(server: ServerKey, from: ServerKey): void {
    this.#order = undefined
    this.#table.copy(server, from)
  }

  pin(server: ServerKey): void {
    this.#table.pin(server, Date.now())
  }

  noteResources(server: ServerKey, hasResources: boolean): void {
    this.#table.setResources(server, hasResources)
  }

  remove(server: ServerKey): void {
    this.#order = undefined
    this.#table.remove(server)
  }
}
