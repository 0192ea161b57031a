import { McpError } from '../../../wire/errors.ts'
import { Backoff, retryAfterMs } from './backoff.ts'
import { EventParser } from './event-parser.ts'
import type { Settings } from './http-channel-options.ts'
import type { HttpResponse } from './http-response.ts'
import { chunksOf, discard, typeOf } from './response-body.ts'

/** The parts of its reader that an event stream needs. */
export interface EventStreamParts {
  readonly settings: Settings
  readonly signal: AbortSignal
  /** The id of the last event before. */
  readonly lastEventId?: string | undefined
  /** Connects after an event id, or from now on. */
  connect(lastEventId: string | undefined): Promise<HttpResponse>
  /** Receives the text of one message. */
  receive(data: string): void
  /** True once the stream is complete. @default never */
  isDone?(): boolean
}

/** The server refused to resume a stream. */
export class StreamRefused extends Error {
  readonly status: number

  constructor(status: number) {
    super(`the server answered ${status}`)
    this.status = status
  }
}

/** A connection that lasted this long does not count as a failed try. */
const stableMs = 30_000

/** A stream of events that is resumed after the last event when it breaks. */
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

  /** The id of the last event; without it the stream cannot be resumed. */
  get lastEventId(): string | undefined {
    return this.#lastEventId
  }

  /** The next connection starts without an event id. */
  forget(): void {
    this.#lastEventId = undefined
  }

  /** Reads a connection to its end. */
  async read(response: HttpResponse): Promise<void> {
    const { settings, signal, receive, isDone } = this.#parts
    const { reading } = settings
    const openedAt = settings.clock.now()
    const held: string[] = []
    const parser = new EventParser(
      ({ type, data }) => {
        this.#backoff.progressed()
        // empty events only carry an id, and events of other types are ignored
        if (type !== 'message' || data === '') return
        if (reading.isPaused) held.push(data)
        else receive(data)
      },
      { maxBytes: settings.limits.maxMessageBytes, lastEventId: this.#lastEventId },
    )
    try {
      for await (const chunk of chunksOf(response.body, isDone)) {
        this.#push(chunk, parser)
        if (reading.isPaused) await reading.deliver(held, receive)
      }
    } catch (error) {
      signal.throwIfAborted()
      // a broken connection is resumed; an event over the limit is an error
      if (error instanceof McpError) throw error
    }
    if (settings.clock.now() - openedAt >= stableMs) this.#backoff.progressed()
  }

  /** Waits before the next try; throws after `maxTries`. */
  async pause(): Promise<void> {
    const { settings, signal } = this.#parts
    const delayMs = this.#backoff.next(Math.max(this.#retryMs ?? 0, this.#retryAfterMs ?? 0))
    if (delayMs === undefined) {
      const { maxTries } = settings.reconnect
      throw new McpError('Closed', `the stream could not be resumed in ${maxTries} tries`, {
        outcome: 'Unknown',
      })
    }
    this.#retryAfterMs = undefined
    await settings.clock.wait(delayMs, signal)
  }

  /** Connects, with retries; throws when the server refuses, or after `maxTries`. */
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
