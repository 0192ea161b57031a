import type { RpcError } from '../wire/errors.ts'
import type { Fields, Id, Message } from '../wire/messages.ts'

/** What a transport knows of the sender of a message; a stdio pipe knows nothing. */
export interface Sender {
  /** The request of ours on whose stream the message came, where every request has a stream of its own. */
  readonly relatedTo?: Id
  /** Who was authenticated, when somebody was. */
  readonly principal?: string
  /** What whoever was authenticated may do, where that is limited. */
  readonly scopes?: readonly string[]
  /** What is said about whoever was authenticated by the one who vouches for them. */
  readonly claims?: Fields
  /** When what was found out about the sender comes to an end, as in `Date.now()`. @default never */
  readonly expiresAt?: number | undefined
  readonly headers?: { get(name: string): string | null }
  /** Says beside the answer which scopes the request needs, where the transport has a place for that. */
  demandScopes?(scopes: readonly string[]): void
}

/** What a channel is told about a message that it sends. */
export interface SendOptions {
  /** Whether a notification may be dropped while the other side does not read, because nobody relies on it. @default false */
  readonly droppable?: boolean | undefined
  /** The incoming request this message belongs to, for channels that keep one stream per request; an answer names it itself. */
  readonly relatedTo?: Id
  /** What travels beside the message where the channel has room for it, such as headers that repeat arguments. */
  readonly labels?: Labels | undefined
  /** What a request is about, when its method is one that the channel does not know. */
  readonly name?: string | undefined
}

/** What travels beside a message, such as headers, by name. */
export type Labels = { readonly [name: string]: string }

/** Where a channel delivers what arrives, in order. */
export interface Receiver {
  /** One message, or the array of them that arrived as one batch. */
  message(message: Message | readonly Message[], sender?: Sender): void
  /** Something arrived that is no message; `id` is there when it could still be read. */
  malformed(error: RpcError, id?: Id): void
  /** The answer to this request of ours will not come, although the channel lives on. */
  failed(id: Id, reason: Error): void
  /** Nothing will arrive any more, yet answers can still leave; resolves when the last of them has. */
  ended(): Promise<void>
  /** The channel is gone in both directions; called exactly once. */
  closed(reason?: Error): void
}

/** A two-way stream of JSON-RPC messages: all that a transport has to be. */
export interface Channel {
  /** Starts delivery; called once, by the peer. */
  open(receiver: Receiver): void
  /** Resolves when the other side can take more; rejects when the message certainly did not leave. */
  send(message: Message | readonly Message[], options?: SendOptions): Promise<void> | undefined
  /** Resolves when nothing of the channel is left. Closing twice is harmless. */
  close(): Promise<void>
  /** Told that a request of the other side will not be answered, where something waits for every answer. */
  unanswered?(id: Id): void
  /** Present where dropping a request is itself the cancel signal, so no notification is sent. */
  abandon?(id: Id, reason?: string): void
  /** Whether messages wait for somebody on this side, such as a user who signs in, so that silence means nothing. */
  readonly isHeld?: boolean
  /** What the program at the other end wrote that is no message and where to, for an error to quote; empty for nothing. */
  readonly strayOutput?: string
  /** Present where the sender of a request can be let go before the answer, because it comes back for it. */
  release?(id: Id): void
}
