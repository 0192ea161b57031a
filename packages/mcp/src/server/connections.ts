import type { ClusterOptions } from '../cluster/cluster-options.ts'
import type { ClusterMember } from '../cluster/member.ts'
import type { Dialect, ServerSide } from '../dialects/dialect.ts'
import { dialectNamed } from '../dialects/select-dialect.ts'
import type { Channel } from '../rpc/channel.ts'
import type { Incoming } from '../rpc/incoming.ts'
import type { PeerLimits } from '../rpc/peer-limits.ts'
import type { ClusterStores } from '../stores/cluster.ts'
import type { Fields } from '../wire/messages.ts'
import { converse, type ServerConnection, serveRequest, statelessConversation } from './conversation.ts'

/** A server or a relay, to be served on channels. */
export interface Servable {
  /** Serves another channel. */
  serve(channel: Channel): ServerConnection
  /**
   * Answers single requests; a handshake revision has to be named. Listen requests end when `ending` aborts.
   * @internal
   */
  answering(ending: AbortSignal): (incoming: Incoming, revision?: string) => Promise<Fields> | Fields
  /** Logs an internal error. @internal */
  report(error: unknown, what: string): void
  /** The served revisions, newest first. @internal */
  readonly dialects: readonly Dialect[]
  /** Becomes one of several processes of this server; missing where that is not possible. @internal */
  join?(options: ClusterStores | ClusterOptions): ClusterMember
}

/** The connections of one server. */
export class Connections implements Servable {
  readonly #side: ServerSide
  readonly #limits: PeerLimits | undefined
  readonly #connections = new Set<ServerConnection>()
  readonly #ending = new AbortController()

  constructor(side: ServerSide, limits?: PeerLimits) {
    this.#side = side
    this.#limits = limits
  }

  get size(): number {
    return this.#connections.size
  }

  get dialects(): readonly Dialect[] {
    return this.#side.dialects
  }

  report(error: unknown, what: string): void {
    this.#side.report(error, what)
  }

  serve(channel: Channel): ServerConnection {
    const connection = converse(this.#side, channel, this.#limits)
    this.#connections.add(connection)
    connection.peer.onClosed(() => this.#connections.delete(connection))
    return connection
  }

  answering(ending: AbortSignal): (incoming: Incoming, revision?: string) => Promise<Fields> | Fields {
    const either = AbortSignal.any([this.#ending.signal, ending])
    const alone = statelessConversation(this.#side, either)
    return (incoming, revision) => {
      if (revision === undefined) return serveRequest(incoming, alone)
      const dialect = dialectNamed(revision, this.#side.dialects)
      return serveRequest(incoming, statelessConversation(this.#side, either, dialect))
    }
  }

  /** Closes every connection: first ends listen requests, then closes the channels. */
  async close(): Promise<void> {
    const connections = [...this.#connections]
    this.#ending.abort()
    for (const connection of connections) connection.end()
    // the last messages are sent in this turn; a slow reader must not delay the shutdown
    await new Promise<void>((resolve) => setTimeout(resolve))
    await Promise.all(connections.map(({ peer }) => peer.close()))
  }
}
