import type { RpcError } from '../wire/errors.ts'
import type { Fields, Id, Message } from '../wire/messages.ts'

/** Facts that a transport knows of the sender of a message; none over stdio. */
export interface Sender {
  /** The outgoing request on whose stream the message came, where every request has its own stream. */
  readonly relatedTo?: Id
  /** The authenticated principal, if there is one. */
  readonly principal?: string
  /** The granted scopes, if authorization is used. */
  readonly scopes?: readonly string[]
  /** The claims of the token, if there is one. */
  readonly claims?: Fields
  /** Expiry of the authorization, as in `Date.now()`. @default never */
  readonly expiresAt?: number | undefined
  readonly headers?: { get(name: string): string | null }
  /** Adds a scope challenge to the response, where the transport supports it. */
  demandScopes?(scopes: readonly string[]): void
}

/** Options of sending a message. */
export interface SendOptions {
  /** True if a notification may be dropped while the other side does not read. @default false */
  readonly droppable?: boolean | undefined
  /** The incoming request this message belongs to, for channels that keep one stream per request; an answer names it itself. */
  readonly relatedTo?: Id
  /** Header parameters of the message, for channels with headers. */
  readonly labels?: Labels | undefined
  /** The number of the change that it announces, where several processes announce the same changes. */
  readonly change?: number | undefined
  /** The target of a request whose method the channel does not know. */
  readonly name?: string | undefined
}

/** Header parameters by name. */
export type Labels = { readonly [name: string]: string }

/** Receives what arrives on a channel, in order. */
export interface Receiver {
  /** One message, or a batch. */
  message(message: Message | readonly Message[], sender?: Sender): void
  /** Something arrived that is not a message; `id` is given if it could be read. */
  malformed(error: RpcError, id?: Id): void
  /** The response to an outgoing request will not arrive; the channel stays open. */
  failed(id: Id, reason: Error): void
  /** Responses to outgoing requests so far may not arrive; the channel stays open. */
  lost?(reason: Error): void
  /** The other side has ended its stream; resolves when all pending responses are sent. */
  ended(): Promise<void>
  /** The channel is closed in both directions; called exactly once. */
  closed(reason?: Error): void
}

/** A two-way stream of JSON-RPC messages: the interface of every transport. */
export interface Channel {
  /** Starts delivery; called once, by the peer. */
  open(receiver: Receiver): void
  /** Sends a message; resolves when more can be sent, and rejects when the message certainly was not sent. */
  send(message: Message | readonly Message[], options?: SendOptions): Promise<void> | undefined
  /** Closes the channel and releases its resources. Closing twice is harmless. */
  close(): Promise<void>
  /** Called when an incoming request gets no response, for channels that wait for one. */
  unanswered?(id: Id): void
  /** Cancels an outgoing request, on channels where that needs no notification. */
  abandon?(id: Id, reason?: string): void
  /** True while messages wait for this side, such as a user who signs in, so that time limits are paused. */
  readonly isHeld?: boolean
  /** True if it carries only revisions with a handshake, like HTTP+SSE. @default false */
  readonly needsHandshake?: boolean
  /** Output of the other program that is not a message, for errors to quote; empty if there is none. */
  readonly strayOutput?: string
  /** The next id of a request, where ids have to say which process asked. @default numbers from 0 */
  nextId?(): Id
  /** Ends the HTTP response of a request before its answer, on channels where the client can resume it. */
  release?(id: Id): void
  /**
   * Stops reading, so that the other side has to wait, until the returned function is called; what was read already is
   * delivered after that.
   */
  pause?(): () => void
}
