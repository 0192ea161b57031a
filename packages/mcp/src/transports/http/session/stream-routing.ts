import type { StoredEvent } from '../../../stores/event-store.ts'
import type { Id } from '../../../wire/messages.ts'
import { formatEvent } from '../server/event-format.ts'
import type { HttpReply } from '../server/request-reply.ts'
import { eventsIn } from './event-log.ts'
import { SessionStream, type StreamParts } from './session-stream.ts'
import { tryOrReport } from './try-or-report.ts'

/** The prefix is the alias, and more where other processes had streams of the session before. */
export interface StreamRoutingParts extends Omit<StreamParts, 'onFirstEvent'> {
  /** Names the session in the ids of its events, which more people may see than its own id. */
  readonly alias: string
}

/** Standalone streams of one session; messages go out on one of them. */
const mostStandalone = 8
/** Streams of answered requests that a client may still come back to. */
const mostKept = 100

/** The streams of one session: those that answer requests, and those for whatever may come. */
export class StreamRouting {
  readonly #parts: StreamRoutingParts
  readonly #streamParts: StreamParts
  /** By the id of the request that each answers; those of a batch share one. */
  readonly #answering = new Map<Id, SessionStream>()
  /** Every stream a client may come back to, by key. */
  readonly #kept = new Map<string, SessionStream>()
  readonly #standalone: SessionStream[] = []
  #count = 0
  #isClosed = false

  constructor(parts: StreamRoutingParts) {
    this.#parts = parts
    this.#streamParts = { ...parts, onFirstEvent: this.#keep }
  }

  /** Whether something is under way or somebody listens. */
  get isBusy(): boolean {
    return this.#answering.size > 0 || this.#standalone.some((stream) => stream.isConnected)
  }

  /** Opens the stream on which requests are answered; to be watched where they were not answered at once. */
  open(ids: readonly Id[], reply: HttpReply, onComplete: () => void): SessionStream {
    const stream = new SessionStream(this.#streamParts, `${this.#count++}`, onComplete)
    stream.connect(reply)
    for (const id of ids) this.#answering.set(id, stream)
    return stream
  }

  /** The stream on which a request is answered, until it is. */
  answering(id: Id): SessionStream | undefined {
    return this.#answering.get(id)
  }

  /** Takes out the stream on which a request is answered now. */
  answered(id: Id): SessionStream | undefined {
    const stream = this.#answering.get(id)
    this.#answering.delete(id)
    return stream
  }

  /** A request was cancelled, so its response is over as well. */
  unanswered(id: Id): void {
    const stream = this.answered(id)
    // those of a batch share one, which ends with the last
    if (stream && ![...this.#answering.values()].includes(stream)) stream.drop()
  }

  /** The stream for what belongs to no request. */
  listener(): SessionStream {
    return this.#standalone.find((stream) => stream.isConnected) ?? this.#standalone[0] ?? this.#standaloneStream()
  }

  /** Opens a stream for what belongs to no request; `false` when there are too many already. */
  listen(reply: HttpReply): Promise<boolean> | boolean {
    const idle = this.#standalone.find((stream) => !stream.isConnected)
    if (!idle && this.#standalone.length >= mostStandalone) return false
    const started = (idle ?? this.#standaloneStream()).start(reply)
    return started ? started.then(() => true) : true
  }

  /** Takes up a stream where its client lost it; `false` when that can no longer be done without a gap. */
  resume(lastEventId: string, reply: HttpReply): Promise<boolean> | boolean {
    const place = placeOf(lastEventId)
    if (!place) return false
    const { key, after } = place
    const stream = this.#kept.get(key)
    if (stream) return stream.resume(reply, after)
    if (!key.startsWith(`${this.#parts.alias}-`)) return false
    const found = eventsIn(this.#parts.store, { stream: key, after, upTo: after })
    return found instanceof Promise
      ? found.then((events) => this.#goOn(key, events, reply))
      : this.#goOn(key, found, reply)
  }

  /** Ends every stream; what was said on them stays where it is kept. */
  close(): void {
    this.#isClosed = true
    for (const stream of [...this.#answering.values(), ...this.#standalone]) {
      stream.disconnect()
      stream.drop()
    }
    this.#answering.clear()
  }

  /** Forgets what was said on every stream. */
  forget(): void {
    for (const key of this.#kept.keys()) this.#forget(key)
  }

  /** Goes on where another process stopped: with what it said about a request, or instead of it with whatever may come. */
  #goOn(key: string, events: readonly StoredEvent[] | undefined, reply: HttpReply): Promise<boolean> | boolean {
    if (!events || this.#isClosed) return false
    const text = events.map(({ number, data }) => formatEvent({ id: `${key}.${number}`, data })).join('')
    const replaying = startingWith(text, reply)
    if (standaloneKey.test(key)) return this.listen(replaying)
    // if the answer was not among it, the client comes back to see whether it is there
    replaying.stream(this.#parts.headers().stream).end()
    return true
  }

  #standaloneStream(): SessionStream {
    const stream = new SessionStream(this.#streamParts, `any${this.#count++}`, () => {})
    this.#standalone.push(stream)
    return stream
  }

  /** A stream without events is nothing to come back to, and most requests are answered without. */
  readonly #keep = (stream: SessionStream): void => {
    this.#kept.set(stream.key, stream)
    if (this.#kept.size > mostKept + this.#answering.size + this.#standalone.length) this.#forgetOldest()
  }

  #forgetOldest(): void {
    for (const [key, stream] of this.#kept) {
      if (!stream.isConnected && !this.#standalone.includes(stream)) return this.#forget(key)
    }
  }

  #forget(key: string): void {
    const { store, report } = this.#parts
    this.#kept.delete(key)
    tryOrReport(
      () => store.drop(key),
      (error) => report(error, 'Forgetting a stream'),
    )
  }
}

/** The stream and the number that an id of an event names; nothing when no event could have that id. */
function placeOf(eventId: string): { readonly key: string; readonly after: number } | undefined {
  const dot = eventId.lastIndexOf('.')
  const number = eventId.slice(dot + 1)
  const after = Number(number)
  // only as it was written: a number has other spellings, and of a large one the end is lost
  const isWritten = dot > 0 && /^[1-9][0-9]*$/.test(number) && Number.isSafeInteger(after)
  return isWritten ? { key: eventId.slice(0, dot), after } : undefined
}

/** The name of a stream for whatever may come ends like this. */
const standaloneKey = /-any\d+$/

/** An answer whose stream starts with events that are there already. */
function startingWith(text: string, reply: HttpReply): HttpReply {
  return {
    whole: (status, headers, body) => reply.whole(status, headers, body),
    stream(headers) {
      const sink = reply.stream(headers)
      void sink.write(text)
      return sink
    },
    onGone: (listener) => reply.onGone(listener),
    onLeft: (listener) => reply.onLeft(listener),
  }
}
