import { InternalError, InvalidRequest, RpcError, toWire } from '../wire/errors.ts'
import type { FailureMessage, Fields, Id, RequestMessage, ResponseMessage } from '../wire/messages.ts'
import type { BatchReply } from './batch-reply.ts'
import type { Channel, Sender } from './channel.ts'
import type { ControlMethods } from './control-methods.ts'
import { type BackChannel, Incoming } from './incoming.ts'
import { PassingMap } from './passing-map.ts'
import { sendOn } from './send.ts'

export interface ServedRequestsParts {
  readonly control: ControlMethods
  /** The way by which handlers send messages for the request they serve. */
  readonly back: BackChannel
  /** Requests served at the same time; more are queued. */
  readonly maxInFlight: number
  /** Requests in the queue; more are refused. */
  readonly maxQueued: number
  request(incoming: Incoming): Promise<Fields> | Fields
  /** A handler threw an internal error; the other side only gets a generic error. */
  crashed?(error: unknown, incoming: Incoming): void
}

interface Queued {
  readonly request: RequestMessage
  readonly sender: Sender | undefined
  readonly batch: BatchReply | undefined
}

/** The incoming requests of one channel: those in flight, and those in the queue. */
export class ServedRequests {
  readonly #channel: Channel
  readonly #parts: ServedRequestsParts
  readonly #inFlight = new PassingMap<Id, Incoming>()
  /** The request whose handler runs at this moment; most answer at once and never get into the map. */
  #current: Incoming | undefined
  readonly #queued = new Map<Id, Queued>()
  readonly #onIdle: (() => void)[] = []

  constructor(channel: Channel, parts: ServedRequestsParts) {
    this.#channel = channel
    this.#parts = parts
  }

  /** The number of unanswered requests. */
  get size(): number {
    this.#keepCurrent()
    return this.#inFlight.size + this.#queued.size
  }

  /** The requests in flight. */
  get underWay(): readonly Incoming[] {
    this.#keepCurrent()
    return [...this.#inFlight.values()]
  }

  /** Serves or queues a request; refuses it when the queue is full or its id is in use. */
  accept(request: RequestMessage, sender: Sender | undefined, batch?: BatchReply): void {
    const { id, method } = request
    const { maxInFlight, maxQueued } = this.#parts
    this.#keepCurrent()
    if (this.#inFlight.has(id) || (this.#queued.size > 0 && this.#queued.has(id))) {
      const message = `Cannot serve "${method}": id ${JSON.stringify(id)} is in use`
      this.#reply(failureMessage(id, new RpcError(InvalidRequest, message, { field: 'id' })), batch)
    } else if (this.#inFlight.size < maxInFlight) {
      this.#serve(request, sender, batch)
    } else if (this.#queued.size < maxQueued) {
      this.#queued.set(id, { request, sender, batch })
    } else {
      const limit = maxInFlight + maxQueued
      const error = new RpcError(InternalError, `Cannot serve "${method}": too many requests at once`, { limit })
      this.#reply(failureMessage(id, error), batch)
    }
  }

  /** Cancels a request; `false` when there is none with that id. */
  cancelled(params: Fields): boolean {
    const { requestId: id, reason } = params as { requestId: Id; reason?: unknown }
    this.#keepCurrent()
    const queued = this.#queued.get(id)
    const incoming = this.#inFlight.get(id)
    if (queued) {
      this.#queued.delete(id)
      queued.batch?.add(undefined)
      this.#channel.unanswered?.(id)
    } else if (incoming && !this.#parts.control.notCancellable.has(incoming.method)) {
      this.#inFlight.delete(id)
      incoming.abort(new DOMException(typeof reason === 'string' ? reason : 'The request was cancelled', 'AbortError'))
      this.#channel.unanswered?.(id)
      this.#afterServing()
    }
    return queued !== undefined || incoming !== undefined
  }

  /** Resolves when every request is answered. */
  whenIdle(): Promise<void> {
    if (this.size === 0) return Promise.resolve()
    return new Promise((resolve) => this.#onIdle.push(resolve))
  }

  /** Aborts all requests. */
  abortAll(reason: Error): void {
    this.#keepCurrent()
    this.#queued.clear()
    for (const incoming of this.#inFlight.values()) incoming.abort(reason)
    this.#inFlight.clear()
    this.#announceIdle()
  }

  /** Sends a response; a failure is ignored, because the channel reports that it closes. */
  post(message: ResponseMessage | readonly ResponseMessage[]): void {
    sendOn(this.#channel, message)?.catch(() => {})
  }

  #serve(request: RequestMessage, sender: Sender | undefined, batch: BatchReply | undefined): void {
    const incoming = new Incoming(request, sender, this.#parts.back)
    this.#current = incoming
    try {
      const outcome = this.#parts.request(incoming)
      // most handlers answer at once, and then nothing is made for those that do not
      if (!(outcome instanceof Promise)) return this.#answer(incoming, outcome, batch)
      this.#keepCurrent()
      outcome.then(
        (result) => this.#answer(incoming, result, batch),
        (error) => this.#refuse(incoming, error, batch),
      )
    } catch (error) {
      this.#refuse(incoming, error, batch)
    }
  }

  #answer(incoming: Incoming, result: Fields, batch: BatchReply | undefined): void {
    this.#finish(incoming, { jsonrpc: '2.0', id: incoming.id, result }, batch)
  }

  #refuse(incoming: Incoming, error: unknown, batch: BatchReply | undefined): void {
    if (!(error instanceof RpcError)) this.#parts.crashed?.(error, incoming)
    this.#finish(incoming, failureMessage(incoming.id, error), batch)
  }

  #finish(incoming: Incoming, response: ResponseMessage, batch: BatchReply | undefined): void {
    const wasCurrent = this.#current === incoming
    if (wasCurrent) this.#current = undefined
    if (incoming.ended) return batch?.add(undefined)
    incoming.end()
    if (!wasCurrent) this.#inFlight.delete(incoming.id)
    this.#reply(response, batch)
    this.#afterServing()
  }

  /** Adds the current request to those in flight, so that it is found among them. */
  #keepCurrent(): void {
    const current = this.#current
    if (current === undefined) return
    this.#current = undefined
    this.#inFlight.set(current.id, current)
  }

  #afterServing(): void {
    if (this.#queued.size > 0) this.#serveNext()
    else if (this.#inFlight.size === 0) this.#announceIdle()
  }

  #serveNext(): void {
    for (const [id, { request, sender, batch }] of this.#queued) {
      this.#queued.delete(id)
      return this.#serve(request, sender, batch)
    }
  }

  #announceIdle(): void {
    if (this.#onIdle.length > 0) for (const listener of this.#onIdle.splice(0)) listener()
  }

  #reply(response: ResponseMessage, batch: BatchReply | undefined): void {
    if (batch) batch.add(response)
    else this.post(response)
  }
}

/** The error response for an error. */
export function failureMessage(id: Id, error: unknown): FailureMessage {
  return { jsonrpc: '2.0', id, error: toWire(error) }
}
