import type { Conversation, Dialect, ServerSide } from '../dialects/dialect.ts'
import { dialectOf } from '../dialects/select-dialect.ts'
import { controlMethods } from '../model/control-methods.ts'
import type { Change } from '../model/types.ts'
import type { Channel } from '../rpc/channel.ts'
import type { Incoming } from '../rpc/incoming.ts'
import { Peer } from '../rpc/peer.ts'
import type { PeerLimits } from '../rpc/peer-limits.ts'
import type { Fields } from '../wire/messages.ts'
import { checkRequest } from './check-request.ts'

/** One server on one channel. */
export interface ServerConnection {
  /** @internal */
  readonly peer: Peer
  /** The negotiated dialect, after a handshake. @internal */
  readonly dialect: Dialect | undefined
  /** Ends listen requests. */
  end(): void
  /** Tells this connection alone of a change, as far as it wants to know. @internal */
  hear(change: Change): void
  /** Tells this connection that everything it watches may have changed. @internal */
  hearAll(number: number): void
  /** Counts of this connection: zero when nothing is in flight or watched. */
  readonly live: { readonly pending: number; readonly serving: number; readonly watching: number }
}

/** A conversation for one request: a stateless one, or one without a session. */
export function statelessConversation(server: ServerSide, ending: AbortSignal, dialect?: Dialect): Conversation {
  const caller = dialect && {
    revision: dialect.revision,
    info: undefined,
    capabilities: {},
    logLevel: undefined,
    principal: undefined,
  }
  return { server, notify: undefined, dialect, caller, watching: new Map(), ending }
}

/** Serves a channel, in any revision, until it closes. */
export function converse(server: ServerSide, channel: Channel, limits?: PeerLimits): ServerConnection {
  const ending = new AbortController()
  const conversation: Conversation = {
    server,
    notify: (method, params, options) => peer.notify(method, params, options),
    dialect: undefined,
    caller: undefined,
    watching: new Map(),
    ending: ending.signal,
  }
  const unwatch = (): void => {
    for (const stop of conversation.watching.values()) stop()
    conversation.watching.clear()
  }
  const end = (): void => ending.abort()
  const peer = new Peer(
    channel,
    {
      control: controlMethods,
      request: (incoming) => serveRequest(incoming, conversation),
      notification: (method, params) => handleNotification(method, params, conversation),
      batches: () => conversation.dialect?.batches === true,
      unreadable: (failure) => (conversation.dialect?.unreadableId === 'null' ? { ...failure, id: null } : failure),
      ended: end,
      crashed: (error, incoming) => {
        if (!incoming.isCalledOffBy(error)) server.report(error, `"${incoming.method}"`)
      },
    },
    limits,
  )
  peer.onClosed(unwatch)
  return {
    peer,
    end,
    hear(change) {
      for (const { hear } of conversation.watching.values()) hear?.(change)
    },
    hearAll(number) {
      for (const { hearAll } of conversation.watching.values()) hearAll?.(number)
    },
    get dialect() {
      return conversation.dialect
    },
    get live() {
      return { ...peer.live, watching: conversation.watching.size }
    },
  }
}

/** Serves one request of a conversation. */
export function serveRequest(incoming: Incoming, conversation: Conversation): Promise<Fields> | Fields {
  const dialect = dialectOf(incoming, conversation)
  dialect.checkHeaders(incoming)
  checkRequest(incoming, dialect)
  return dialect.receive(incoming, conversation)
}

// an unknown notification cannot be refused, so it is dropped
function handleNotification(method: string, params: Fields, conversation: Conversation): void {
  const { dialect } = conversation
  if (dialect?.vocabulary.client.notifications.get(method)?.check(params) === undefined)
    dialect?.notified(method, params, conversation)
}
