import { Malformed } from '../../../wire/classify.ts'
import { McpError, type RpcError, toWire } from '../../../wire/errors.ts'
import type { Id, Message, RequestMessage, ResponseMessage } from '../../../wire/messages.ts'
import { EventStream } from './event-stream.ts'
import { invalidAnswer, pageAnswer, statusFailure } from './http-failures.ts'
import type { HttpResponse, ResponseHeaders } from './http-response.ts'
import { type Outgoing, postMessage, refusalOf } from './post-message.ts'
import { type MessageSink, receiveMessages } from './receive-messages.ts'
import { listenHeaders } from './request-headers.ts'
import { discard, readText, typeOf } from './response-body.ts'
import { sendRequest } from './send-request.ts'

/** Dependencies of a posted request. */
export interface PostedRequestParts extends Outgoing {
  readonly sink: MessageSink
  /** Called with the answer and its headers, before it is delivered. */
  answered?(answer: ResponseMessage, headers: ResponseHeaders): void
}

/** One request over HTTP, until its answer arrives. */
export class PostedRequest implements MessageSink {
  readonly #method: string
  readonly #id: Id
  readonly #parts: PostedRequestParts
  #headers: ResponseHeaders = new Headers()
  #isAnswered = false
  #problem: string | undefined

  constructor({ method, id }: RequestMessage, parts: PostedRequestParts) {
    this.#method = method
    this.#id = id
    this.#parts = parts
  }

  /** Resolves when the answer was delivered; throws when there will be none. */
  async run(): Promise<void> {
    const response = await postMessage(this.#parts)
    this.#headers = response.headers
    if (!response.ok) return this.#refused(response)
    const type = response.status === 202 ? undefined : typeOf(response)
    if (type === 'application/json') return this.#whole(response)
    if (type === 'text/event-stream') return this.#streamed(response)
    await discard(response)
    if (type === 'text/html') throw pageAnswer(this.#parts.url)
    const problem = response.status === 202 ? 'the request was only accepted' : `it is ${type ?? 'of no known type'}`
    throw invalidAnswer(this.#method, this.#parts.url, problem)
  }

  /** Handles a message on the response: the answer, or one before it. */
  message(message: Message | readonly Message[]): void {
    for (const one of [message].flat()) {
      if ('method' in one) this.#told(one)
      else if (one.id === this.#id) this.#answered(one)
      else if (one.id === undefined || one.id === null) this.#problem = `it names no request${reasonOf(one)}`
      else this.#parts.sink.message(one)
    }
  }

  malformed(error: RpcError, id?: Id): void {
    const isAnswer = error instanceof Malformed && error.isResponse
    if (isAnswer) this.#problem = error.message
    if (isAnswer || this.#parts.session) this.#parts.sink.malformed(error, id)
  }

  // during a self-contained request the server cannot send requests
  #told(message: Exclude<Message, ResponseMessage>): void {
    if (this.#parts.session || !('id' in message)) this.#parts.sink.message(message, { relatedTo: this.#id })
  }

  #answered(answer: ResponseMessage): void {
    this.#isAnswered = true
    this.#parts.answered?.(answer, this.#headers)
    this.#parts.sink.message(answer)
  }

  async #refused(response: HttpResponse): Promise<void> {
    const { status } = response
    const refusal = await refusalOf(response, this.#parts)
    // for these statuses the body does not matter
    if (!refusal || [401, 403, 405].includes(status)) throw statusFailure(this.#parts, response, refusal)
    this.#answered({ jsonrpc: '2.0', id: this.#id, error: toWire(refusal) })
  }

  async #whole(response: HttpResponse): Promise<void> {
    const text = await this.#text(response)
    if (text.trim() === '') throw invalidAnswer(this.#method, this.#parts.url, 'it is empty')
    this.#take(text)
    if (!this.#isAnswered)
      throw invalidAnswer(this.#method, this.#parts.url, this.#problem ?? 'it answers another request')
  }

  async #text(response: HttpResponse): Promise<string> {
    try {
      return await readText(response, this.#parts.settings.limits.maxMessageBytes)
    } catch (error) {
      this.#parts.signal.throwIfAborted()
      throw error instanceof McpError ? error : this.#brokenOff(error)
    }
  }

  async #streamed(response: HttpResponse): Promise<void> {
    const { settings, signal, session } = this.#parts
    const stream = new EventStream({
      settings,
      signal,
      connect: (lastEventId) => this.#continued(lastEventId),
      receive: (data) => this.#take(data),
      isDone: () => this.#isAnswered,
    })
    await stream.read(response)
    while (!this.#isAnswered) {
      if (this.#problem !== undefined) throw invalidAnswer(this.#method, this.#parts.url, this.#problem)
      if (!session || stream.lastEventId === undefined) throw this.#brokenOff()
      await stream.read(await this.#reconnected(stream))
    }
  }

  async #reconnected(stream: EventStream): Promise<HttpResponse> {
    try {
      await stream.pause()
      return await stream.connect()
    } catch (error) {
      this.#parts.signal.throwIfAborted()
      throw this.#brokenOff(error)
    }
  }

  #continued(lastEventId: string | undefined): Promise<HttpResponse> {
    const { url, settings, signal, session } = this.#parts
    const headers = { ...session, ...listenHeaders(lastEventId) }
    return sendRequest({ method: 'GET', url, headers, signal, action: `continue "${this.#method}"` }, settings)
  }

  #take(text: string): void {
    this.#problem = receiveMessages(text, this)?.message ?? this.#problem
  }

  #brokenOff(cause?: unknown): McpError {
    const why = cause instanceof Error ? `, ${cause.message}` : ''
    const message = `Cannot finish "${this.#method}": the response ended before it was complete${why}`
    return new McpError('Closed', message, { outcome: 'Unknown', cause })
  }
}

function reasonOf(answer: ResponseMessage): string {
  return 'error' in answer ? `: ${answer.error.message}` : ''
}
