import { statusOf } from '../../../dialects/http-status.ts'
import type { SendOptions } from '../../../rpc/channel.ts'
import { type BackChannel, Incoming } from '../../../rpc/incoming.ts'
import type { PassingSet } from '../../../rpc/passing-set.ts'
import { McpError, RpcError, toWire } from '../../../wire/errors.ts'
import type { Fields, RequestMessage, ResponseMessage } from '../../../wire/messages.ts'
import { writeMessage } from '../../../wire/write-message.ts'
import { dropped } from '../../backpressure.ts'
import { answerHeaders, jsonHeaders, streamHeaders } from '../headers.ts'
import { formatEvent } from './event-format.ts'
import type { EventSink, HttpReply, HttpRequest } from './request-reply.ts'
import type { Service } from './service.ts'

export interface ExchangeParts {
  readonly http: HttpRequest
  readonly reply: HttpReply
  readonly service: Service
  /** The revision of the header, when the request names none. */
  readonly revision: string | undefined
  /** Called once, when the answer was sent or the client has disconnected. */
  finished(): void
  /** The set of requests in flight. */
  readonly underWay: PassingSet<Incoming>
}

/** One request and its answer over one POST: JSON, or an event stream when notifications come before the answer. */
export class Exchange implements BackChannel {
  readonly #parts: ExchangeParts
  readonly #incoming: Incoming
  #sink: EventSink | undefined
  /** Place among the requests in flight, unless it was answered at once. */
  #place: number | undefined

  constructor(request: RequestMessage, parts: ExchangeParts) {
    this.#parts = parts
    this.#incoming = new Incoming(request, parts.http.sender, this)
  }

  /** Serves the request; a client that disconnects before the answer cancels it. */
  run(): void {
    const { reply, service, revision } = this.#parts
    try {
      const outcome = service.answer(this.#incoming, revision)
      if (!(outcome instanceof Promise)) return this.#answered(outcome)
      this.#place = this.#parts.underWay.add(this.#incoming)
      reply.onGone(() => this.#gone())
      outcome.then(
        (result) => this.#answered(result),
        (error) => this.#refused(error),
      )
    } catch (error) {
      this.#refused(error)
    }
  }

  notify(method: string, params: Fields, options?: SendOptions): Promise<void> | undefined {
    this.#sink ??= this.#parts.reply.stream(streamHeaders)
    const wait = dropped(this.#sink.full, options)
    return wait ?? this.#sink.write(formatEvent({ data: writeMessage({ jsonrpc: '2.0', method, params }) }))
  }

  call(method: string): Promise<Fields> {
    return Promise.reject(
      new McpError('Unsupported', `Cannot send "${method}": the server sends no requests in this revision`),
    )
  }

  #answered(result: Fields): void {
    this.#finish(200, { jsonrpc: '2.0', id: this.#incoming.id, result })
  }

  #refused(error: unknown): void {
    const { id, method } = this.#incoming
    if (!(error instanceof RpcError) && !this.#incoming.isCalledOffBy(error))
      this.#parts.service.report(error, `"${method}"`)
    this.#finish(statusOf(error), { jsonrpc: '2.0', id, error: toWire(error) })
  }

  #gone(): void {
    if (this.#incoming.ended) return
    this.#incoming.abort(new DOMException('The client went away', 'AbortError'))
    this.#leave()
    this.#parts.finished()
  }

  #finish(status: number, response: ResponseMessage): void {
    if (this.#incoming.ended) return
    this.#incoming.end()
    const { reply, finished } = this.#parts
    this.#leave()
    const body = writeMessage(response)
    reply.onLeft(finished)
    if (!this.#sink) return reply.whole(status, answerHeaders(jsonHeaders, response), body)
    void this.#sink.write(formatEvent({ data: body }))
    this.#sink.end()
  }
  #leave(): void {
    if (this.#place !== undefined) this.#parts.underWay.delete(this.#place)
  }
}
