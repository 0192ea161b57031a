import { Malformed } from '../wire/classify.ts'
import { InternalError, InvalidRequest, McpError, RpcError, toWire } from '../wire/errors.ts'
import { resolveLimits } from '../wire/limits.ts'
import type { Failure, Fields, Id, Message, Notification, Request, Response } from '../wire/messages.ts'
import { BatchReply } from './batch-reply.ts'
import type { Channel, Labels, Receiver, Sender } from './channel.ts'
import { type BackChannel, Incoming } from './incoming.ts'
import { type CallOptions, Pending, type Progress } from './pending.ts'

export type Call = (method: string, params: Fields, options?: CallOptions) => Promise<Fields>
export type Notify = (method: string, params: Fields) => Promise<void> | undefined

/** What a peer does with what arrives; the peer itself knows only correlation, cancelling and progress. */
export interface PeerHandlers {
  request(incoming: Incoming): Promise<Fields> | Fields
  notification(method: string, params: Fields, sender?: Sender): void
  /** Whether the other side may make requests; those it makes all the same are not even refused. @default always */
  answers?(): boolean
  /** Whether several messages may arrive as one array. @default never */
  batches?(): boolean
  /** The answer to something that had no readable id. @default the failure as it is, without an id */
  unreadable?(failure: Failure): Failure
  /** The other side will say no more: what waits for it to speak should end. */
  ended?(): void
  /** A handler threw what is not meant for the other side, which only hears that something failed. */
  crashed?(error: unknown, incoming: Incoming): void
  /** Told of what the other side did wrong that concerns no call, such as an answer to nothing. */
  warning?(message: string): void
}

export interface PeerLimits {
  /** Requests of the other side worked on at the same time; more of them wait. @default 128 */
  readonly maxRequestsInFlightPerConnection?: number
  /** Requests of the other side that may wait; more are refused. @default 1_000 */
  readonly maxRequestsQueuedPerConnection?: number
  /** Calls to the other side that may be open at the same time; more are refused. @default 10_000 */
  readonly maxCallsInFlightPerConnection?: number
}

/** The limits of a connection where none are given. */
export const peerLimits = {
  maxRequestsInFlightPerConnection: 128,
  maxRequestsQueuedPerConnection: 1_000,
  maxCallsInFlightPerConnection: 10_000,
} as const satisfies PeerLimits

interface Waiting {
  readonly request: Request
  readonly sender: Sender | undefined
  readonly batch: BatchReply | undefined
}

/** Correlates requests with responses over one channel, in both directions. */
export class Peer implements Receiver {
  readonly #channel: Channel
  readonly #handlers: PeerHandlers
  readonly #limits: Required<PeerLimits>
  readonly #pending = new Map<Id, Pending>()
  readonly #serving = new Map<Id, Incoming>()
  readonly #waiting = new Map<Id, Waiting>()
  readonly #line: BackChannel
  readonly whenClosed: Promise<Error | undefined>
  #announceClosed!: (reason: Error | undefined) => void
  readonly #onClosed: (() => void)[] = []
  readonly #onIdle: (() => void)[] = []
  #closeReason: Error | undefined
  #nextId = 0
  #holds = 0
  readonly #held = (): boolean => this.isHeld

  constructor(channel: Channel, handlers: PeerHandlers, limits: PeerLimits = {}) {
    this.#channel = channel
    this.#handlers = handlers
    this.#limits = resolveLimits(peerLimits, limits)
    this.#line = {
      call: this.call,
      notify: (method, params, options = {}) => this.#send({ jsonrpc: '2.0', method, params }, options),
      release: (id) => this.#channel.release?.(id),
    }
    this.whenClosed = new Promise((resolve) => {
      this.#announceClosed = resolve
    })
    channel.open(this)
  }

  /** The context of the call of ours that a message belongs to, where that is known. */
  contextOf(sender: Sender | undefined): unknown {
    return sender?.relatedTo === undefined ? undefined : this.#pending.get(sender.relatedTo)?.context
  }

  /** Stops the clock of every open call, while the other side waits for us; the returned function lets it go on. */
  hold(): () => void {
    this.#holds += 1
    return () => {
      this.#holds -= 1
    }
  }

  /** Whether somebody on this side is waited for, so that silence says nothing about the other side. */
  get isHeld(): boolean {
    return this.#holds > 0 || this.#channel.isHeld === true
  }

  /** How many calls are remembered, each way: zero when nothing is under way. */
  get live(): { readonly pending: number; readonly serving: number } {
    return { pending: this.#pending.size, serving: this.#serving.size + this.#waiting.size }
  }

  readonly call: Call = (method, params, options = {}) => {
    const { signal, token = true, relatedTo, labels, name } = options
    if (signal?.aborted) return Promise.reject(signal.reason)
    const refusal = this.#refusal(method)
    if (refusal) return Promise.reject(refusal)
    const id = this.#nextId++
    const giveUp = (reason: unknown): void => this.#giveUp(id, reason, options)
    const pending = new Pending(method, options, { giveUp, held: this.#held })
    this.#pending.set(id, pending)
    options.onSent?.(id)
    const sent = token ? { ...params, _meta: { ...(params._meta as Fields | undefined), progressToken: id } } : params
    const message: Request = { jsonrpc: '2.0', id, method, params: sent }
    this.#send(message, { relatedTo, labels, name })?.catch((error: unknown) => this.#settle(id)?.fail(error))
    return pending.promise
  }

  readonly notify: Notify = (method, params) => {
    if (this.#closeReason) return Promise.reject(this.#refusal(method))
    return this.#send({ jsonrpc: '2.0', method, params }, {})
  }

  /** Lets go of every open call, without a word to the other side. */
  letGo(reason: Error): void {
    this.#failPending(reason)
  }

  close(): Promise<void> {
    return this.#channel.close()
  }

  /** Calls back at once when the channel is gone; some runtimes let nobody wait for that longer than one request takes. */
  onClosed(listener: () => void): void {
    this.#onClosed.push(listener)
  }

  /** For the channel: one message, or one batch of them. */
  message(message: Message | readonly Message[], sender?: Sender): void {
    if (isBatch(message)) this.#batch(message, sender)
    else if (!('method' in message)) this.#answered(message)
    else if ('id' in message) this.#accept(message, sender)
    else this.#notified(message, sender)
  }

  /** For the channel: something that is no message. It is answered when that can do no harm. */
  malformed(error: RpcError, id?: Id): void {
    if (error instanceof Malformed && error.isResponse) {
      const pending = id === undefined ? undefined : this.#settle(id)
      if (pending) pending.fail(new McpError('InvalidResponse', error.message, { outcome: 'Unknown' }))
      else this.#handlers.warning?.(error.message)
      return
    }
    if (this.#handlers.answers?.() === false) return this.#handlers.warning?.(error.message)
    const failure: Failure = id === undefined ? { jsonrpc: '2.0', error: toWire(error) } : failureOf(id, error)
    this.#post(id === undefined ? (this.#handlers.unreadable?.(failure) ?? failure) : failure)
  }

  /** For the channel: one answer got lost. */
  failed(id: Id, reason: Error): void {
    this.#settle(id)?.fail(reason)
  }

  /** For the channel: the other side is done talking, so whoever waits for its answers waits in vain. */
  ended(): Promise<void> {
    this.#failPending(new McpError('Closed', 'Cannot finish the call: the other side ended the conversation', unknown))
    this.#handlers.ended?.()
    if (this.live.serving === 0) return Promise.resolve()
    return new Promise((resolve) => this.#onIdle.push(resolve))
  }

  /** For the channel: it is gone. */
  closed(reason?: Error): void {
    if (this.#closeReason) return
    this.#closeReason = reason ?? new McpError('Closed', 'The connection is closed')
    this.#failPending(reason ?? new McpError('Closed', 'Cannot finish the call: the connection was closed', unknown))
    this.#waiting.clear()
    for (const incoming of this.#serving.values()) incoming.abort(this.#closeReason)
    this.#serving.clear()
    for (const listener of this.#onIdle.splice(0)) listener()
    for (const listener of this.#onClosed.splice(0)) listener()
    this.#announceClosed(reason)
  }

  #refusal(method: string): McpError | undefined {
    if (this.#closeReason) {
      return new McpError('NotSent', `Cannot send "${method}": ${this.#closeReason.message}`, {
        outcome: 'NotSent',
        cause: this.#closeReason,
      })
    }
    if (this.#pending.size < this.#limits.maxCallsInFlightPerConnection) return undefined
    return new McpError(
      'Busy',
      `Cannot send "${method}": ${this.#limits.maxCallsInFlightPerConnection} calls are open already`,
      {
        outcome: 'NotSent',
      },
    )
  }

  #giveUp(id: Id, reason: unknown, { cancels = true, relatedTo }: CallOptions): void {
    const pending = this.#settle(id)
    if (!pending) return
    pending.fail(reason)
    if (!cancels || this.#closeReason) return
    const why = reason instanceof Error ? reason.message : String(reason)
    if (this.#channel.abandon) return this.#channel.abandon(id, why)
    const params = { requestId: id, reason: why }
    this.#send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }, { relatedTo })?.catch(ignore)
  }

  #settle(id: Id): Pending | undefined {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    return pending
  }

  // an answer may cross our giving up on the way, which is nobody's fault
  #wasGiven(id: Id | null | undefined): boolean {
    return typeof id === 'number' && id >= 0 && id < this.#nextId
  }

  #failPending(reason: Error): void {
    const pending = [...this.#pending.values()]
    this.#pending.clear()
    for (const call of pending) call.fail(reason)
  }

  #answered(response: Response): void {
    const { id } = response
    const pending = id === undefined || id === null ? undefined : this.#settle(id)
    if (pending) pending.answer(response)
    else if (!this.#wasGiven(id)) this.#handlers.warning?.(`Ignored an answer to no call, id ${JSON.stringify(id)}`)
  }

  // cancel and progress act on calls in flight, so they never wait behind a handler
  #notified({ method, params = {} }: Notification, sender: Sender | undefined): void {
    if (method === 'notifications/cancelled') this.#cancelled(params)
    else if (method !== 'notifications/progress' || !this.#progressed(params))
      this.#handlers.notification(method, params, sender)
  }

  /** Says whether a call is open that the progress belongs to. */
  #progressed(params: Fields): boolean {
    const pending = this.#pending.get(params.progressToken as Id)
    pending?.progress(params as unknown as Progress)
    return pending !== undefined
  }

  #cancelled(params: Fields): void {
    const { requestId: id, reason } = params as { requestId: Id; reason?: unknown }
    const waiting = this.#waiting.get(id)
    const incoming = this.#serving.get(id)
    if (waiting) {
      this.#waiting.delete(id)
      waiting.batch?.add(undefined)
      this.#channel.unanswered?.(id)
    } else if (!incoming) {
      this.#handlers.notification('notifications/cancelled', params)
    } else if (incoming.method !== 'initialize') {
      // a conversation that has not opened yet cannot be called off, everything else can
      this.#serving.delete(id)
      incoming.abort(new DOMException(typeof reason === 'string' ? reason : 'The request was cancelled', 'AbortError'))
      this.#channel.unanswered?.(id)
      this.#afterServing()
    }
  }

  #batch(messages: readonly Message[], sender: Sender | undefined): void {
    if (!this.#handlers.batches?.()) {
      return this.malformed(new RpcError(InvalidRequest, 'Cannot read message: this revision has no batches'))
    }
    const requests = messages.filter((message) => 'method' in message && 'id' in message)
    const batch = new BatchReply(requests.length, (responses) => this.#post(responses))
    for (const message of messages) {
      if ('method' in message && 'id' in message) this.#accept(message, sender, batch)
      else this.message(message, sender)
    }
  }

  #accept(request: Request, sender: Sender | undefined, batch?: BatchReply): void {
    const { id } = request
    if (this.#handlers.answers?.() === false) {
      this.#handlers.warning?.(`Ignored the request "${request.method}": nobody answers requests here`)
    } else if (this.#serving.has(id) || this.#waiting.has(id)) {
      const error = new RpcError(
        InvalidRequest,
        `Cannot serve "${request.method}": id ${JSON.stringify(id)} is in use`,
        { field: 'id' },
      )
      this.#reply(failureOf(id, error), batch)
    } else if (this.#serving.size < this.#limits.maxRequestsInFlightPerConnection) {
      this.#serve(request, sender, batch)
    } else if (this.#waiting.size < this.#limits.maxRequestsQueuedPerConnection) {
      this.#waiting.set(id, { request, sender, batch })
    } else {
      const error = new RpcError(InternalError, `Cannot serve "${request.method}": too many requests at once`, {
        limit: this.#limits.maxRequestsInFlightPerConnection + this.#limits.maxRequestsQueuedPerConnection,
      })
      this.#reply(failureOf(id, error), batch)
    }
  }

  #serve(request: Request, sender: Sender | undefined, batch: BatchReply | undefined): void {
    const incoming = new Incoming(request, sender, this.#line)
    this.#serving.set(request.id, incoming)
    const answer = (result: Fields): void => this.#finish(incoming, { jsonrpc: '2.0', id: request.id, result }, batch)
    const refuse = (error: unknown): void => {
      if (!(error instanceof RpcError)) this.#handlers.crashed?.(error, incoming)
      this.#finish(incoming, failureOf(request.id, error), batch)
    }
    try {
      const outcome = this.#handlers.request(incoming)
      if (outcome instanceof Promise) outcome.then(answer, refuse)
      else answer(outcome)
    } catch (error) {
      refuse(error)
    }
  }

  #finish(incoming: Incoming, response: Response, batch: BatchReply | undefined): void {
    if (incoming.ended) return batch?.add(undefined)
    incoming.end()
    this.#serving.delete(incoming.id)
    this.#reply(response, batch)
    this.#afterServing()
  }

  #afterServing(): void {
    const next = this.#waiting.entries().next().value
    if (next) {
      const [id, { request, sender, batch }] = next
      this.#waiting.delete(id)
      this.#serve(request, sender, batch)
    } else if (this.#serving.size === 0) {
      for (const listener of this.#onIdle.splice(0)) listener()
    }
  }

  #reply(response: Response, batch: BatchReply | undefined): void {
    if (batch) batch.add(response)
    else this.#post(response)
  }

  /** Sends an answer; when it cannot leave, the channel is closing and says so itself. */
  #post(message: Response | readonly Response[]): void {
    const relatedTo = isBatch(message) ? undefined : message.id
    this.#send(message, { relatedTo: relatedTo ?? undefined })?.catch(ignore)
  }

  #send(message: Message | readonly Message[], options: SendParts): Promise<void> | undefined {
    const { relatedTo, labels, name, droppable } = options
    try {
      if (relatedTo === undefined && labels === undefined && name === undefined) return this.#channel.send(message)
      return this.#channel.send(message, { ...(relatedTo !== undefined && { relatedTo }), labels, name, droppable })
    } catch (error) {
      // params that are not JSON, for one: a call must not stay open for them
      return Promise.reject(error)
    }
  }
}

interface SendParts {
  readonly droppable?: boolean | undefined
  readonly relatedTo?: Id | undefined
  readonly labels?: Labels | undefined
  readonly name?: string | undefined
}

const unknown = { outcome: 'Unknown' } as const

const isBatch = (message: Message | readonly Message[]): message is readonly Message[] => Array.isArray(message)

const ignore = (): void => {}

function failureOf(id: Id, error: unknown): Failure {
  return { jsonrpc: '2.0', id, error: toWire(error) }
}
