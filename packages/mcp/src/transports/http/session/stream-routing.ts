import { PassingMap } from '../../../rpc/passing-map.ts'
import type { StoredEvent } from '../../../stores/event-store.ts'
import type { Id } from '../../../wire/messages.ts'
import { formatEvent } from '../server/event-format.ts'
import { orAway } from '../server/or-away.ts'
import { shuttingDown } from '../server/refusals.ts'
import type { HttpReply } from '../server/request-reply.ts'
import { eventsIn } from './event-log.ts'
import { isOutbox, type Outbox } from './outbox.ts'
import { SessionStream, type StreamParts } from './session-stream.ts'
import { FollowedStream, idsOfName, nameOfIds } from './stream-followers.ts'
import { tryOrReport } from './try-or-report.ts'

/** The prefix is the alias, and more where other processes had streams of the session before. */
export interface StreamRoutingParts extends Omit<StreamParts, 'onFirstEvent'> {
  /** The name of the session in event ids, which are less secret than its id. */
  readonly alias: string
  /** The messages that belong to no request, where several processes send them. */
  readonly outbox?: Outbox | undefined
}

/** Standalone streams of one session; each message is sent on one of them. */
const mostStandalone = 8
/** Streams of answered requests that can still be resumed. */
const mostKept = 100

/** The streams of one session: those of requests, and standalone ones; decides on which a message is sent. */
export class StreamRouting {
  readonly #parts: StreamRoutingParts
  readonly #streamParts: StreamParts
  /** The streams of unanswered requests, by id; a batch shares one. */
  readonly #answering = new PassingMap<Id, SessionStream>()
  /** The streams that can be resumed, by key. */
  readonly #kept = new Map<string, SessionStream>()
  readonly #standalone: SessionStream[] = []
  #count = 0
  #isClosed = false

  constructor(parts: StreamRoutingParts) {
    this.#parts = parts
    this.#streamParts = { ...parts, onFirstEvent: this.#keep }
  }

  /** True while a request is in flight or a stream is open. */
  get isBusy(): boolean {
    const { outbox } = this.#parts
    return (
      this.#answering.size > 0 || this.#standalone.some((stream) => stream.isConnected) || outbox?.isConnected === true
    )
  }

  /** Opens the stream on which requests are answered; to be watched where they were not answered at once. */
  open(ids: readonly Id[], reply: HttpReply, onComplete: () => void): SessionStream {
    const number = this.#count++
    const name = this.#parts.shared ? `${number}~${nameOfIds(ids)}` : `${number}`
    const stream = new SessionStream(this.#streamParts, name, onComplete)
    stream.connect(reply)
    for (const id of ids) this.#answering.set(id, stream)
    return stream
  }

  /** The stream of an unanswered request. */
  answering(id: Id): SessionStream | undefined {
    return this.#answering.get(id)
  }

  /** Removes and returns the stream of a request that is answered now. */
  answered(id: Id): SessionStream | undefined {
    return this.#answering.delete(id)
  }

  /** Ends the stream of a cancelled request. */
  unanswered(id: Id): void {
    const stream = this.answered(id)
    // the stream of a batch ends with its last request
    if (stream && ![...this.#answering.values()].includes(stream)) stream.drop()
  }

  /** The stream for messages that belong to no request. */
  listener(): Pick<SessionStream, 'tell'> {
    if (this.#parts.outbox) return this.#parts.outbox
    return this.#standalone.find((stream) => stream.isConnected) ?? this.#standalone[0] ?? this.#standaloneStream()
  }

  /** Opens a stream for messages that belong to no request; `false` when there are too many. */
  listen(reply: HttpReply): Promise<boolean> | boolean {
    if (this.#parts.outbox) return this.#parts.outbox.listen(reply)
    const idle = this.#standalone.find((stream) => !stream.isConnected)
    if (!idle && this.#standalone.length >= mostStandalone) return false
    const started = (idle ?? this.#standaloneStream()).start(reply)
    return started ? started.then(() => true) : true
  }

  /** Resumes a stream after an event; `false` when events are missing. */
  resume(lastEventId: string, reply: HttpReply): Promise<boolean> | boolean {
    const place = placeOf(lastEventId)
    if (!place) return false
    const { key, after } = place
    const { outbox } = this.#parts
    if (outbox && isOutbox(key)) return key === outbox.key && outbox.listen(reply, after)
    const stream = this.#kept.get(key)
    if (stream) return stream.resume(reply, after)
    if (!key.startsWith(`${this.#parts.alias}-`)) return false
    if (this.#parts.shared) return this.#follow({ key, after, reply, ...this.#parts.shared })
    const found = eventsIn(this.#parts.store, { stream: key, after, upTo: after })
    return found instanceof Promise
      ? found.then((events) => this.#goOn(key, events, reply))
      : this.#goOn(key, found, reply)
  }

  /** Closes every stream; their events stay stored. */
  close(): void {
    this.#isClosed = true
    for (const stream of [...this.#answering.values(), ...this.#standalone]) {
      stream.disconnect()
      stream.drop()
    }
    this.#answering.clear()
    this.#parts.outbox?.close()
  }

  /** Ends every response because the process ends; streams of unanswered requests are left to other processes. */
  leave(): void {
    this.#isClosed = true
    for (const stream of [...this.#answering.values(), ...this.#standalone]) stream.leave()
    this.#answering.clear()
    this.#parts.outbox?.close()
  }

  /** Deletes the events of every stream. */
  forget(): void {
    for (const key of this.#kept.keys()) this.#forget(key)
    if (this.#parts.outbox) this.#forget(this.#parts.outbox.key)
  }

  /** Resumes a stream of another process: its stored events, and then a standalone stream. */
  #goOn(key: string, events: readonly StoredEvent[] | undefined, reply: HttpReply): Promise<boolean> | boolean {
    if (!events || this.#isClosed) return false
    const text = events.map(({ number, data }) => formatEvent({ id: `${key}.${number}`, data })).join('')
    const replaying = startingWith(text, reply)
    if (standaloneKey.test(key)) return this.listen(replaying)
    // without the answer among the events, the client resumes again
    replaying.stream(this.#parts.headers().stream).end()
    return true
  }

  /** Resumes a stream that another process writes. */
  async #follow(resumed: Resumed): Promise<boolean> {
    const { key, member, followers, ...rest } = resumed
    const [, named = '', name = ''] = streamName.exec(key.slice(this.#parts.alias.length + 1)) ?? []
    const found = named !== '' && (await orAway(member, () => member.stores.events.after(key, rest.after)))
    // the events are stored, and the next process has them
    if (this.#isClosed) throw shuttingDown()
    if (!found) return false
    // a stream of this process that it no longer has is written by none
    const writer = named === member.epoch ? '' : named
    const headers = this.#parts.headers().stream
    followers.follow(new FollowedStream({ ...rest, key, member, writer, headers, ids: idsOfName(name) }))
    return true
  }

  #standaloneStream(): SessionStream {
    const stream = new SessionStream(this.#streamParts, `any${this.#count++}`, () => {})
    this.#standalone.push(stream)
    return stream
  }

  /** Keeps a stream for resumption, once it has an event. */
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
      (error) => report(error, 'Deleting a stream'),
    )
  }
}

type Resumed = NonNullable<StreamParts['shared']> & {
  readonly key: string
  readonly after: number
  readonly reply: HttpReply
}

/** The name of a stream behind the alias of its session: the process that writes it, and what it answers. */
const streamName = /^([\w-]{12})\.\d+-\d+~(.*)$/

/** Parses an event id into stream and number; undefined when it is not valid. */
function placeOf(eventId: string): { readonly key: string; readonly after: number } | undefined {
  const dot = eventId.lastIndexOf('.')
  const number = eventId.slice(dot + 1)
  const after = Number(number)
  // only the canonical form: Number() also accepts others, and rounds large ones
  const isWritten = dot > 0 && /^[1-9][0-9]*$/.test(number) && Number.isSafeInteger(after)
  return isWritten ? { key: eventId.slice(0, dot), after } : undefined
}

/** The end of the name of a standalone stream. */
const standaloneKey = /-any\d+$/

/** A reply whose stream starts with stored events. */
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
