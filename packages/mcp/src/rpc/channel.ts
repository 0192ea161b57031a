import type { RpcError } from '../wire/errors.ts'
import type { Id, Message } from '../wire/messages.ts'

/** What a transport knows of the sender of a message; a stdio pipe knows nothing. */
export interface Origin {
  /** Who was authenticated, when somebody was. */
  readonly principal?: string
  readonly headers?: { get(name: string): string | null }
}

export interface SendOptions {
  /** The incoming request this message belongs to, for channels that keep one stream per request. */
  readonly relatedTo?: Id
}

/** Where a channel delivers what arrives, in order. */
export interface Receiver {
  /** One message, or the array of them that arrived as one batch. */
  message(message: Message | readonly Message[], origin?: Origin): void
  /** Something arrived that is no message; `id` is there when it could still be read. */
  malformed(error: RpcError, id?: Id): void
  /** Nothing will arrive any more; called exactly once. */
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
  /** Present where dropping a request is itself the cancel signal, so no notification is sent. */
  abandon?(id: Id): void
}
