import type { ConnectOptions } from '@trunkline/mcp'
import { connectOptions } from './connect-options.ts'
import { type LocalAnswers, ServerAsks } from './server-asks.ts'

/** What every server asks, each apart from the others. */
export class AsksOfServers {
  readonly #asks = new Map<string, ServerAsks>()
  readonly #local: LocalAnswers

  constructor(local: LocalAnswers) {
    this.#local = local
  }

  of(server: string): ServerAsks {
    const known = this.#asks.get(server)
    if (known) return known
    const asks = new ServerAsks(server, this.#local)
    this.#asks.set(server, asks)
    return asks
  }

  /** Keeps what is known of these servers alone. */
  keep(isKept: (server: string) => boolean): void {
    for (const server of this.#asks.keys()) if (!isKept(server)) this.#asks.delete(server)
  }

  /** How to connect to a server, so that what it asks is answered. */
  connecting(server: string): ConnectOptions {
    return connectOptions(this.of(server))
  }
}
