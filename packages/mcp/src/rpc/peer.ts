import { Malformed } from '../wire/classify.ts'
import { InvalidRequest, McpError, RpcError, toWire } from '../wire/errors.ts'
import type { FailureMessage, Fields, Id, Message, NotificationMessage } from '../wire/messages.ts'
import { resolveLimits } from '../wire/resolve-limits.ts'
import { BatchReply } from './batch-reply.ts'
import type { Channel, Receiver, Sender } from './channel.ts'
import type { ControlMethods } from './control-methods.ts'
import type { Incoming } from './incoming.ts'
import { type Call, type Notify, OutgoingCalls } from './outgoing-calls.ts'
import { type PeerLimits, peerLimits } from './peer-limits.ts'
import { sendOn } from './send.ts'
import { failureMessage, ServedRequests } from './served-requests.ts'

/** The callbacks of a peer, which itself only knows correlation, cancellation and progress. */
export interface PeerHandlers {
  /** The method names of cancellation and progress. */
  readonly control: ControlMethods
  request(incoming: Incoming): Promise<Fields> | Fields
  notification(method: string, params: Fields, sender?: Sender): void
  /** True if the other side may send requests; otherwise they are ignored. @default always */
  answers?(): boolean
  /** True if batches are accepted. @default never */
  batches?(): boolean
  /** Adjusts the error response to a message without a readable id. @default the failure as it is, without an id */
  unreadable?(failure: FailureMessage): FailureMessage
  /** The other side has ended its stream: listen requests should end. */
  ended?(): void
  /** A handler threw an internal error; the other side only gets a generic error. */
  crashed?(error: unknown, incoming: Incoming): void
  /** Receives warnings about faults of the other side that concern no call, such as an unknown response. */
  warning?(message: string): void
}

/** Correlates requests with responses over one channel, in both directions. */
export class Peer implements Receiver {
  readonly #channel: Channel
  readonly #handlers: PeerHandlers
  readonly #calls: OutgoingCalls
  readonly #served: ServedRequests
  readonly call: Call
  readonly notify: Notify
  readonly whenClosed: Promise<Error | undefined>
  #announceClosed!: (reason: Error | undefined) => void
  readonly #onClosed: (() => void)[] = []
  #isClosed = false

  constructor(channel: Channel, handlers: PeerHandlers, limits: PeerLimits = {}) {
    const { maxCallsInFlightPerConnection, maxRequestsInFlightPerConnection, maxRequestsQueuedPerConnection } =
      resolveLimits(peerLimits, limits)
    const { control } = handlers
    this.#channel = channel
    this.#handlers = handlers
    this.#calls = new OutgoingCalls(channel, { control, maxInFlight: maxCallsInFlightPerConnection })
    this.call = this.#calls.call
    this.notify = this.#calls.notify
    this.#served = new ServedRequests(channel, {
      control,
      back: {
        call: this.call,
        notify: (method, params, options = {}) => sendOn(channel, { jsonrpc: '2.0', method, params }, options),
        release: (id) => channel.release?.(id),
      },
      maxInFlight: maxRequestsInFlightPerConnection,
      maxQueued: maxRequestsQueuedPerConnection,
      request: (incoming) => handlers.request(incoming),
      crashed: (error, incoming) => handlers.crashed?.(error, incoming),
    })
    this.whenClosed = new Promise((resolve) => {
      this.#announceClosed = resolve
    })
    channel.open(this)
  }

  /** The `context` of the outgoing call that a message belongs to, if it is known. */
  contextOf(sender: Sender | undefined): unknown {
    return sender?.relatedTo === undefined ? undefined : this.#calls.contextOf(sender.relatedTo)
  }

  /**
   * Pauses the time limits of all calls while the other side waits for this one; the returned function resumes them.
   */
  hold(): () => void {
    return this.#calls.hold()
  }

  /** True while time limits are paused. */
  get isHeld(): boolean {
    return this.#calls.isHeld
  }

  /** The calls in flight in both directions: zero when idle. */
  get live(): { readonly pending: number; readonly serving: number } {
    return { pending: this.#calls.size, serving: this.#served.size }
  }

  /** The incoming requests in flight. */
  get underWay(): readonly Incoming[] {
    return this.#served.underWay
  }

  /** Rejects pending calls without sending cancellations. */
  rejectPending(reason: Error): void {
    this.#calls.rejectAll(reason)
  }

  close(): Promise<void> {
    return this.#channel.close()
  }

  /**
   * Calls back at once when the channel closes; a promise could not be awaited on runtimes that end with the request.
   */
  onClosed(listener: () => void): void {
    this.#onClosed.push(listener)
  }

  /** For the channel: a message or batch arrived. */
  message(message: Message | readonly Message[], sender?: Sender): void {
    if (isBatch(message)) this.#batch(message, sender)
    else if ('method' in message) {
      if ('id' in message) this.#requested(message, sender)
      else this.#notified(message, sender)
    } else if (!this.#calls.answered(message)) {
      this.#handlers.warning?.(`Ignored an answer with an unknown id, ${JSON.stringify(message.id)}`)
    }
  }

  /** For the channel: something arrived that is not a message. Sends an error response where that is safe. */
  malformed(error: RpcError, id?: Id): void {
    if (error instanceof Malformed && error.isResponse) {
      const invalid = new McpError('InvalidResponse', error.message, unknown)
      if (id === undefined || !this.#calls.failed(id, invalid)) this.#handlers.warning?.(error.message)
      return
    }
    if (this.#handlers.answers?.() === false) return this.#handlers.warning?.(error.message)
    const failure: FailureMessage =
      id === undefined ? { jsonrpc: '2.0', error: toWire(error) } : failureMessage(id, error)
    this.#served.post(id === undefined ? (this.#handlers.unreadable?.(failure) ?? failure) : failure)
  }

  /** For the channel: a response will not arrive. */
  failed(id: Id, reason: Error): void {
    this.#calls.failed(id, reason)
  }

  /** For the channel: responses to calls so far may not arrive. */
  lost(reason: Error): void {
    this.#calls.rejectAll(reason)
  }

  /** For the channel: the other side has ended its stream, so pending calls are rejected. */
  ended(): Promise<void> {
    const reason = 'Cannot finish the call: the other side ended the conversation'
    this.#calls.rejectAll(new McpError('Closed', reason, unknown))
    this.#handlers.ended?.()
    return this.#served.whenIdle()
  }

  /** For the channel: it is closed. */
  closed(reason?: Error): void {
    if (this.#isClosed) return
    this.#isClosed = true
    const closeReason = reason ?? new McpError('Closed', 'The connection is closed')
    this.#calls.close(closeReason)
    this.#calls.rejectAll(
      reason ?? new McpError('Closed', 'Cannot finish the call: the connection was closed', unknown),
    )
    this.#served.abortAll(closeReason)
    for (const listener of this.#onClosed.splice(0)) listener()
    this.#announceClosed(reason)
  }

  // cancel and progress act on calls in flight, so they never wait behind a handler
  #notified({ method, params = {} }: NotificationMessage, sender: Sender | undefined): void {
    const { control } = this.#handlers
    if (method === control.cancelled && this.#served.cancelled(params)) return
    if (method === control.progress && this.#calls.progressed(params)) return
    this.#handlers.notification(method, params, sender)
  }

  #requested(request: Extract<Message, { method: string; id: Id }>, sender: Sender | undefined, batch?: BatchReply) {
    if (this.#handlers.answers?.() !== false) this.#served.accept(request, sender, batch)
    else this.#handlers.warning?.(`Ignored the request "${request.method}": this side serves no requests`)
  }

  #batch(messages: readonly Message[], sender: Sender | undefined): void {
    if (!this.#handlers.batches?.()) {
      return this.malformed(new RpcError(InvalidRequest, 'Cannot read message: this revision has no batches'))
    }
    const requests = messages.filter((message) => 'method' in message && 'id' in message)
    const batch = new BatchReply(requests.length, (responses) => this.#served.post(responses))
    for (const message of messages) {
      if ('method' in message && 'id' in message) this.#requested(message, sender, batch)
      else this.message(message, sender)
    }
  }
}

const unknown = { outcome: 'Unknown' } as const

const isBatch = (message: Message | readonly Message[]): message is readonly Message[] => Array.isArray(message)
