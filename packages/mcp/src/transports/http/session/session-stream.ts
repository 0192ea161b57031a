import type { SendOptions } from '../../../rpc/channel.ts'
import type { StoredEvent } from '../../../stores/event-store.ts'
import { McpError } from '../../../wire/errors.ts'
import type { Message } from '../../../wire/messages.ts'
import { writeMessage } from '../../../wire/write-message.ts'
import { dropped } from '../../backpressure.ts'
import { answerHeaders, type Headers } from '../headers.ts'
import { replyWithError } from '../server/error-reply.ts'
import { formatEvent } from '../server/event-format.ts'
import type { EventSink, HttpReply } from '../server/request-reply.ts'
import { EventLog, type EventLogParts } from './event-log.ts'
import { spreadRetryMs } from './reconnect-delay.ts'
import { SharedEventLog, type SharedEventLogParts } from './shared-event-log.ts'

/** State that all streams of a session share. */
export interface StreamParts extends Omit<EventLogParts, 'key'> {
  /** Starts the names of the streams. */
  readonly prefix: string
  /** True if the first event only has an id and the retry time. */
  primes(): boolean
  readonly retryMs: number
  /** Headers of an answer to a request that arrives now. */
  headers(): StreamHeaders
  /** Set where other processes may resume the streams. */
  readonly shared?: Omit<SharedEventLogParts, 'key'> | undefined
  /** Called once, when there is an event that a client may resume after. */
  onFirstEvent(stream: SessionStream): void
}

export interface StreamHeaders {
  readonly json: Headers
  readonly stream: Headers
}

interface Shown {
  /** True for the answer, after which the stream ends. */
  readonly isLast?: boolean
  /** True for a request, whose answer is waited for. */
  readonly isQuestion?: boolean
  readonly retryMs?: number
}

/** Events that may arrive while missed ones are loaded; with more the client has to resume again. */
const mostMeanwhile = 1_000

const questionLost = 'Cannot ask: the client is away, and the store did not take the question in time'

/** One stream of a session, on one HTTP response and on those that resume it. */
export class SessionStream {
  readonly #parts: StreamParts
  readonly #name: string
  readonly #headers: StreamHeaders
  readonly #onComplete: () => void
  // made on first use: most requests are answered without an event
  #log: EventLog | SharedEventLog | undefined
  /** Set once an event waits for the store before it is sent. */
  #showing: Promise<unknown> | undefined
  #reply: HttpReply | undefined
  #sink: EventSink | undefined
  #isComplete = false
  /** The number of the last event that was written to a response. */
  #sent = 0
  /** The events that arrived while missed ones are loaded. */
  #meanwhile: StoredEvent[] | undefined

  /** `onComplete` is called once, when nothing more will be said on it and the last of it has left. */
  constructor(parts: StreamParts, name: string, onComplete: () => void) {
    this.#parts = parts
    this.#name = name
    this.#headers = parts.headers()
    this.#onComplete = onComplete
  }

  /** The prefix of the ids of its events. */
  get key(): string {
    return `${this.#parts.prefix}-${this.#name}`
  }

  /** True if there is an open response. */
  get isConnected(): boolean {
    return this.#reply !== undefined
  }

  /** Connects a response; it becomes JSON or an event stream with the first message. */
  connect(reply: HttpReply): void {
    // a client that resumes has left the old response
    this.#close()
    this.#reply = reply
  }

  /** Watches for the client to disconnect; called only when the answer is not there at once. */
  watch(): void {
    const reply = this.#reply
    // a broken stream does not cancel the request: the client may resume it
    reply?.onGone(() => {
      if (this.#reply === reply) this.#forget()
    })
  }

  /** Starts an event stream at once, with the events that were not sent yet. */
  start(reply: HttpReply): Promise<void> | undefined {
    const begin = (isResumed: boolean): void => {
      if (isResumed) return
      this.connect(reply)
      this.watch()
      this.#events()
    }
    const resumed = this.#sent < this.#last && this.resume(reply, this.#sent)
    if (resumed instanceof Promise) return resumed.then(begin)
    begin(resumed)
    return undefined
  }

  /** Resumes after an event; `false` when the missed events are no longer stored. */
  resume(reply: HttpReply, after: number): Promise<boolean> | boolean {
    const missed = this.#log?.after(after)
    if (missed instanceof Promise) return this.#resumeLater(reply, missed)
    if (!missed) return false
    this.connect(reply)
    this.watch()
    this.#replay(missed)
    return true
  }

  /** Sends a message as an event, which is stored for resumption. */
  tell(message: Message, options?: SendOptions): Promise<void> | undefined {
    const sink = this.#events()
    return dropped(sink?.full, options) ?? this.#say(writeMessage(message), { isQuestion: 'id' in message })
  }

  /** Sends the last message: as plain JSON when there was no event before. */
  finish(message: Message | readonly Message[]): void {
    const body = writeMessage(message)
    this.#completeWhenLeft()
    if (this.#isUndecided) {
      this.#reply?.whole(200, answerHeaders(this.#headers.json, message), body)
      return this.#forget()
    }
    void this.#say(body, { isLast: true })
  }

  /** Refuses the request instead of answering. */
  refuse(error: unknown): void {
    this.#complete()
    if (!this.#isUndecided) return this.#close()
    if (this.#reply) replyWithError(error, this.#reply)
    this.#forget()
  }

  /** Ends without the last message, because the request was cancelled. */
  drop(): void {
    this.#complete()
    // a process at which the client resumed it must not wait for more
    if (this.#log instanceof SharedEventLog) void this.#log.append('', true)
    if (this.#isUndecided) this.#reply?.whole(202, this.#headers.json)
    if (!this.#meanwhile) this.#closeWhenShown()
  }

  /** Ends without the last message, because the process ends; another one answers where the client resumes. */
  leave(): void {
    this.disconnect()
    this.#complete()
  }

  /** Ends the response but not the stream, which the client resumes. */
  disconnect(): void {
    this.#events()
    this.#closeWhenShown()
  }

  get #last(): number {
    return this.#log?.last ?? 0
  }

  /** True if there is a response without any output. */
  get #isUndecided(): boolean {
    return this.#reply !== undefined && !this.#sink && !this.#meanwhile
  }

  #complete(): void {
    if (!this.#isComplete) this.#onComplete()
    this.#isComplete = true
  }

  // without a response there is nothing to wait for
  #completeWhenLeft(): void {
    if (!this.#reply || this.#meanwhile || this.#isComplete) return this.#complete()
    this.#isComplete = true
    this.#reply.onLeft(this.#onComplete)
  }

  /** Ends the response after the events that wait for the store. */
  #closeWhenShown(): void {
    const reply = this.#reply
    if (!this.#showing) return this.#close()
    void this.#showing.then(() => {
      if (this.#reply === reply) this.#close()
    })
  }

  #close(): void {
    if (this.#meanwhile) this.#reply?.stream(this.#headers.stream).end()
    this.#sink?.end()
    this.#forget()
  }

  #forget(): void {
    this.#reply = undefined
    this.#sink = undefined
    this.#meanwhile = undefined
  }

  #events(): EventSink | undefined {
    if (!this.#isUndecided) return this.#sink
    const { retryMs } = this.#parts
    this.#sink = this.#reply?.stream(this.#headers.stream)
    if (this.#parts.primes()) void this.#say('', { retryMs: spreadRetryMs(retryMs) })
    return this.#sink
  }

  async #resumeLater(reply: HttpReply, missed: Promise<readonly StoredEvent[] | undefined>): Promise<boolean> {
    this.connect(reply)
    this.watch()
    const meanwhile: StoredEvent[] = []
    this.#meanwhile = meanwhile
    const found = await missed.catch((error: unknown) => ({ error }))
    // the client has disconnected meanwhile
    if (this.#meanwhile !== meanwhile) return true
    this.#meanwhile = undefined
    if (found && !('error' in found)) {
      // some of them may have been loaded from the store
      const isNew = ({ number }: StoredEvent): boolean => number === 0 || number > (found.at(-1)?.number ?? 0)
      this.#replay([...found, ...meanwhile.filter(isNew)])
      return true
    }
    this.#forget()
    if (found) throw found.error
    return false
  }

  #replay(missed: readonly StoredEvent[]): void {
    this.#sink = this.#reply?.stream(this.#headers.stream)
    for (const event of missed) void this.#write(event)
    // the answer may still wait for the store
    if (this.#isComplete) this.#closeWhenShown()
  }

  #say(data: string, shown: Shown = {}): Promise<void> | undefined {
    const event = this.#keep(data, shown.isLast)
    if (!(event instanceof Promise)) return this.#show(event, shown)
    const showing = event.then((stored) => this.#show(stored, shown))
    this.#showing = showing
    return showing
  }

  /** Sends an event; undefined means that another process has closed the stream, and answers in place of this one. */
  #show(event: StoredEvent | undefined, shown: Shown): Promise<void> | undefined {
    const { isLast = false, isQuestion = false, retryMs } = shown
    if (event && this.#meanwhile && this.#meanwhile.length < mostMeanwhile) {
      this.#meanwhile.push(event)
      return isQuestion && event.number === 0 ? this.#lostWithReply() : undefined
    }
    const written = event && !this.#meanwhile ? this.#write(event, retryMs) : undefined
    if (!event) this.#complete()
    if (!event || isLast || this.#meanwhile) this.#close()
    return isQuestion && (event?.number ?? 0) === 0 ? this.#lostWithReply() : written
  }

  /** Rejects when the client is away, or leaves: it cannot resume to a question that is not stored, and does not answer. */
  #lostWithReply(): Promise<void> {
    const reply = this.#reply
    return new Promise((_, reject) => {
      const lose = (): void => reject(new McpError('NotSent', questionLost, { outcome: 'NotSent' }))
      if (reply) reply.onGone(lose)
      else lose()
    })
  }

  #keep(data: string, closes: boolean | undefined): StoredEvent | Promise<StoredEvent | undefined> {
    if (!this.#log) {
      const { store, report, shared } = this.#parts
      const { key } = this
      this.#log = shared ? new SharedEventLog({ key, ...shared }) : new EventLog({ key, store, report })
      this.#parts.onFirstEvent(this)
    }
    return this.#log instanceof SharedEventLog ? this.#log.append(data, closes) : this.#log.append(data)
  }

  #write({ number, data }: StoredEvent, retryMs?: number): Promise<void> | undefined {
    if (!this.#sink) return undefined
    if (number > 0) this.#sent = number
    // one that is not stored has no number
    const id = number > 0 ? { id: `${this.key}.${number}` } : {}
    return this.#sink.write(formatEvent({ data, ...id, ...(retryMs !== undefined && { retryMs }) }))
  }
}
