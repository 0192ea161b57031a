import { McpError } from '../../../wire/errors.ts'
import { Backoff, retryAfterMs } from './backoff.ts'
import { EventParser } from './event-parser.ts'
import type { HttpResponse } from './http-response.ts'
import type { Settings } from './options.ts'
import { chunksOf, discard, typeOf } from './response-body.ts'

/** What a stream needs of whoever reads it. */
export interface EventStreamParts {
  readonly settings: Settings
  readonly signal: AbortSignal
  /** Where it was left before. */
  readonly lastEventId?: string | undefined
  /** Asks for what comes after an event, or for whatever comes next. */
  connect(lastEventId: string | undefined): Promise<HttpResponse>
  /** Takes the text of one message. */
  receive(data: string): void
  /** Whether all that matters has arrived. @default never */
  isDone?(): boolean
}

/** The server will not continue a stream, whatever the number of tries. */
export class StreamRefused extends Error {
  readonly status: number

  constructor(status: number) {
    super(`the server answered ${status}`)
    this.status = status
  }
}

/** A connection that lasted this long was no failure, even if nothing came over it. */
const stableMs = 30_000

/** A stream of events that is taken up again where it broke off. */
export class EventStream {
  readonly #parts: EventStreamParts
  readonly #backoff: Backoff
  #lastEventId: string | undefined
  #retryMs: number | undefined
  #retryAfterMs: number | undefined

  constructor(parts: EventStreamParts) {
    this.#parts = parts
    this.#lastEventId = parts.lastEventId
    this.#backoff = new Backoff(parts.settings.reconnect, parts.settings.clock)
  }

  /** Where to take the stream up again; without it, what comes meanwhile is lost. */
  get lastEventId(): string | undefined {
    return this.#lastEventId
  }

  /** Starts anew with the next connection. */
  forget(): void {
    this.#lastEventId = undefined
  }

  /** Reads a connection to its end, however that comes. */
  async read(response: HttpResponse): Promise<void> {
    const { settings, signal, receive, isDone } = this.#parts
    const openedAt = settings.clock.now()
    const parser = new EventParser(
      ({ type, data }) => {
        this.#backoff.progressed()
        // an event may carry nothing but its id, and events of other kinds are none of ours
        if (type === 'message' && data !== '') receive(data)
      },
      { maxBytes: settings.limits.maxMessageBytes, lastEventId: this.#lastEventId },
    )
    try {
      for await (const chunk of chunksOf(response.body, isDone)) this.#push(chunk, parser)
    } catch (error) {
      signal.throwIfAborted()
      // a connection may break at any time; that a server says too much is another matter
      if (error instanceof McpError) throw error
    }
    if (settings.clock.now() - openedAt >= stableMs) this.#backoff.progressed()
  }

  /** Waits until it is time for another try; throws when there were enough of them in vain. */
  async pause(): Promise<void> {
    const { settings, signal } = this.#parts
    const delayMs = this.#backoff.next(Math.max(this.#retryMs ?? 0, this.#retryAfterMs ?? 0))
    if (delayMs === undefined) {
      const { maxTries } = settings.reconnect
      throw new McpError('Closed', `the stream could not be taken up again in ${maxTries} tries`, {
        outcome: 'Unknown',
      })
    }
    this.#retryAfterMs = undefined
    await settings.clock.wait(delayMs, signal)
  }

  /** Connects, as often as it takes; throws when the server refuses or there were tries enough. */
  async connect(): Promise<HttpResponse> {
    for (;;) {
      const response = await this.#tried()
      if (response?.ok && typeOf(response) === 'text/event-stream') return response
      if (response) await this.#assertPassing(response)
      await this.pause()
    }
  }

  async #tried(): Promise<HttpResponse | undefined> {
    try {
      return await this.#parts.connect(this.#lastEventId)
    } catch (error) {
      this.#parts.signal.throwIfAborted()
      if (error instanceof McpError && (error.code === 'Closed' || error.code === 'NotSent')) return undefined
      throw error
    }
  }

  async #assertPassing(response: HttpResponse): Promise<void> {
    const { status, headers } = response
    await discard(response)
    if (status !== 408 && status !== 429 && status < 500) throw new StreamRefused(status)
    this.#retryAfterMs = retryAfterMs(headers.get('retry-after'), this.#parts.settings.clock.now())
  }

  #push(chunk: Uint8Array, parser: EventParser): void {
    try {
      parser.push(chunk)
    } finally {
      if (parser.lastEventId !== this.#lastEventId) this.#backoff.progressed()
      this.#lastEventId = parser.lastEventId
      this.#retryMs = parser.retryMs ?? this.#retryMs
    }
  }
}
