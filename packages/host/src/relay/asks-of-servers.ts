import type { ConnectOptions } from '@trunkline/mcp'
import type { ServerKey } from '../act/server-key.ts'
import { connectOptions } from './connect-options.ts'
import { type LocalAnswers, ServerAsks } from './server-asks.ts'
import type { SpilledAddresses } from './terms/spilled-address.ts'

/** Requests of every server, each apart from the others. */
export class AsksOfServers {
  readonly #asks = new Map<string, ServerAsks>()
  readonly #local: LocalAnswers
  readonly #spilled: SpilledAddresses

  constructor(local: LocalAnswers, spilled: SpilledAddresses) {
    this.#local = local
    this.#spilled = spilled
  }

  of(server: ServerKey): ServerAsks {
    const known = this.#asks.get(server)
    if (known) return known
    const asks = new ServerAsks(server, this.#local, this.#spilled)
    this.#asks.set(server, asks)
    return asks
  }

  /** Forgets a server that is gone. */
  forget(server: ServerKey): void {
    this.#asks.delete(server)
  }

  /** Options to connect to a server, so that its requests are answered. */
  connecting(server: ServerKey): ConnectOptions {
    return connectOptions(this.of(server))
  }
}
