import type { Message } from '../../wire/messages.ts'
import { writeMessage } from '../../wire/write.ts'
import type { EventStore } from './event-log.ts'
import { formatEvent, type StreamEvent } from './events.ts'
import type { EventSink, Headers, HttpReply } from './face.ts'

export interface StreamParts {
  /** Names the stream and its session in the ids of its events. */
  readonly key: string
  readonly store: EventStore
  /** Whether the first event carries nothing but an id, and the wait before a client that lost the stream comes back. */
  readonly primes: boolean
  readonly retryMs: number
  /** What goes with every answer of the session. */
  readonly headers: { readonly json: Headers; readonly stream: Headers }
  /** Called once, when there is an event that a client may come back for. */
  onFirstEvent(stream: SessionStream): void
  /** Called once, when nothing more will be said on it. */
  onComplete(): void
}

/** What a session sends on one HTTP response, and after it was lost on those that take it up again. */
export class SessionStream {
  readonly #parts: StreamParts
  #reply: HttpReply | undefined
  #sink: EventSink | undefined
  #isComplete = false
  /** The number of the last event that somebody was there to read. */
  #sent = 0
  #kept = 0

  constructor(parts: StreamParts) {
    this.#parts = parts
  }

  get key(): string {
    return this.#parts.key
  }

  /** Whether somebody reads it at the moment. */
  get isConnected(): boolean {
    return this.#reply !== undefined
  }

  /** Sends what comes on this response from now on; it stays undecided between JSON and events until there is something. */
  connect(reply: HttpReply): void {
    // a client that comes back has left, even if nobody was told
    this.#sink?.end()
    this.#reply = reply
    this.#sink = undefined
    // a stream that is lost is not a cancelled request: the client may come back
    reply.onGone(() => {
      if (this.#reply !== reply) return
      this.#reply = undefined
      this.#sink = undefined
    })
  }

  /** Starts events at once, with those that nobody was there to read, for a client that waits for whatever may come. */
  start(reply: HttpReply): void {
    if (this.#kept > this.#sent && this.resume(reply, this.#sent)) return
    this.connect(reply)
    this.#events()
  }

  /** Starts events again where a client lost them; `false` when what it missed is no longer there. */
  resume(reply: HttpReply, after: number): boolean {
    const missed = this.#parts.store.after(this.#parts.key, after)
    if (!missed) return false
    this.connect(reply)
    this.#sink = reply.stream(this.#parts.headers.stream)
    for (const { number, data } of missed) void this.#write(this.#sink, number, { data })
    if (this.#isComplete) this.#close()
    return true
  }

  /** Tells something; it is kept for a client that comes back. */
  tell(message: Message): Promise<void> | undefined {
    const sink = this.#events()
    // nobody relies on notices: it is questions and answers that must arrive
    if (sink?.full && !('id' in message)) return sink.full
    const data = writeMessage(message)
    const number = this.#keep(data)
    return sink && this.#write(sink, number, { data })
  }

  /** Sends the last message: as plain JSON when nothing was told before. */
  finish(message: Message | readonly Message[]): void {
    this.#complete()
    const body = writeMessage(message)
    if (!this.#sink && this.#reply) {
      this.#reply.whole(200, this.#parts.headers.json, body)
      this.#reply = undefined
      return
    }
    const number = this.#keep(body)
    if (this.#sink) void this.#write(this.#sink, number, { data: body })
    this.#close()
  }

  /** Ends without the last message, because the client does not want it any more. */
  drop(): void {
    this.#complete()
    if (!this.#sink) this.#reply?.whole(202, this.#parts.headers.json)
    this.#close()
  }

  /** Lets go of the response but not of the stream: the client is to come back for the rest. */
  disconnect(): void {
    this.#events()
    this.#close()
  }

  #complete(): void {
    if (!this.#isComplete) this.#parts.onComplete()
    this.#isComplete = true
  }

  #close(): void {
    this.#sink?.end()
    this.#sink = undefined
    this.#reply = undefined
  }

  #events(): EventSink | undefined {
    if (this.#sink || !this.#reply) return this.#sink
    const { primes, retryMs, headers } = this.#parts
    this.#sink = this.#reply.stream(headers.stream)
    if (primes) void this.#write(this.#sink, this.#keep(''), { data: '', retryMs: spread(retryMs) })
    return this.#sink
  }

  #keep(data: string): number {
    const { store, key, onFirstEvent } = this.#parts
    if (this.#kept === 0) onFirstEvent(this)
    this.#kept = store.append(key, data)
    return this.#kept
  }

  #write(sink: EventSink, number: number, event: StreamEvent): Promise<void> | undefined {
    this.#sent = number
    return sink.write(formatEvent({ ...event, id: `${this.#parts.key}.${number}` }))
  }
}

const longestMs = 2 ** 31 - 1

// those who lose their streams together should not come back together
function spread(ms: number): number {
  return Math.min(Math.round(ms * (1 + 2 * Math.random())), longestMs)
}
