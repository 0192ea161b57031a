import type { Channel, Receiver, Sender, SendOptions } from '../../rpc/channel.ts'
import { InternalError, McpError, RpcError, toWire } from '../../wire/errors.ts'
import type { Id, Message } from '../../wire/messages.ts'
import { writeMessage } from '../../wire/write-message.ts'
import { dropped } from '../backpressure.ts'
import { formatEvent } from '../http/server/event-format.ts'
import { HttpRefusal } from '../http/server/refusals.ts'
import type { EventSink } from '../http/server/request-reply.ts'

export interface SseSessionParts {
  readonly id: string
  readonly sink: EventSink
  readonly postPath: string
  readonly principal: string | undefined
  /** Takes a slot for a request in flight; the returned function releases it. */
  take(principal: string | undefined): () => void
  /** Called once, when the session has ended. */
  onClose(): void
}

/** A session of HTTP+SSE: one stream for the server's messages, and POSTs for the client's. */
export class SseSession implements Channel {
  readonly #parts: SseSessionParts
  /** The slots of the requests in flight. */
  readonly #slots = new Map<Id, () => void>()
  #receiver: Receiver | undefined
  #closed = false

  /** Starts the stream with the endpoint event. */
  constructor(parts: SseSessionParts) {
    this.#parts = parts
    void parts.sink.write(formatEvent({ event: 'endpoint', data: `${parts.postPath}?session=${this.id}` }))
  }

  get id(): string {
    return this.#parts.id
  }

  get principal(): string | undefined {
    return this.#parts.principal
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver
  }

  /** Takes a slot for a message; throws when the client does not read, or too much is in flight. */
  takeSlot(message: Message): void {
    if (!('method' in message && 'id' in message)) return
    if (this.#parts.sink.full) throw new HttpRefusal(503, 'Read the pending responses first', { 'retry-after': '1' })
    if (!this.#slots.has(message.id)) this.#slots.set(message.id, this.#parts.take(this.principal))
  }

  /** Receives a message of the client. */
  receive(message: Message, sender: Sender): void {
    this.#receiver?.message(message, sender)
  }

  /** Answers a message that was accepted and cannot be served. */
  refuse(message: Message, error: unknown): void {
    if ('method' in message && 'id' in message)
      void this.send({
        jsonrpc: '2.0',
        id: message.id,
        error: toWire(error instanceof HttpRefusal ? new RpcError(InternalError, error.message) : error),
      })
  }

  send(message: Message | readonly Message[], options?: SendOptions): Promise<void> | undefined {
    const { sink } = this.#parts
    if (this.#closed)
      return Promise.reject(new McpError('NotSent', 'Cannot send: the stream is closed', { outcome: 'NotSent' }))
    const wait = dropped(sink.full, options)
    if (wait) return wait
    const written = sink.write(formatEvent({ event: 'message', data: writeMessage(message) }))
    if ('method' in message) return written
    const release = this.#takeOut((message as { readonly id?: Id }).id)
    if (written) void written.then(release)
    else release?.()
    return written
  }

  /** Releases the slot of a request. */
  unanswered(id: Id): void {
    this.#takeOut(id)?.()
  }

  #takeOut(id: Id | undefined): (() => void) | undefined {
    const release = id === undefined ? undefined : this.#slots.get(id)
    if (id !== undefined) this.#slots.delete(id)
    return release
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    for (const release of this.#slots.values()) release()
    this.#slots.clear()
    this.#parts.sink.end()
    this.#parts.onClose()
    this.#receiver?.closed()
  }
}
