import type { Dialect } from '../../dialects/dialect.ts'
import type { Channel, Origin, Receiver, SendOptions } from '../../rpc/channel.ts'
import { Malformed } from '../../wire/classify.ts'
import { McpError } from '../../wire/errors.ts'
import type { Id, Message, Response } from '../../wire/messages.ts'
import type { EventStore } from './event-log.ts'
import type { HttpReply } from './face.ts'
import { jsonHeaders, sessionHeader, streamHeaders } from './headers.ts'
import { isBatch, isRequest } from './kinds.ts'
import { randomId } from './random-id.ts'
import { SessionStream, type StreamParts } from './session-stream.ts'

export interface SessionParts {
  readonly id: string
  readonly principal: string | undefined
  readonly store: EventStore
  readonly retryMs: number
  /** Serves the session, and tells what its handshake agreed on. */
  serve(session: Session): Agreed
  /** Takes a slot for what a caller has under way; the returned function gives it back. */
  take(principal: string | undefined): () => void
  /** Called once, when the session is over. */
  onClose(): void
}

/** What a handshake agreed on, once there was one. */
export interface Agreed {
  readonly dialect: Pick<Dialect, 'revision' | 'http' | 'batches'> | undefined
}

/** Standalone streams of one session; messages go out on one of them. */
const mostStandalone = 8
/** Streams of answered requests that a client may still come back to. */
const mostKept = 100

/** A conversation that outlives the requests it is made of: the channel of a handshake revision over HTTP. */
export class Session implements Channel {
  readonly id: string
  readonly principal: string | undefined
  readonly #parts: SessionParts
  /** Names it in the ids of its events, which more people may see than its own id. */
  readonly #alias = randomId()
  /** By the id of the request that each answers; those of a batch share one. */
  readonly #answering = new Map<Id, SessionStream>()
  /** Every stream a client may come back to, by key. */
  readonly #kept = new Map<string, SessionStream>()
  readonly #standalone: SessionStream[] = []
  readonly #agreed: Agreed
  readonly #headers: StreamParts['headers']
  #receiver: Receiver | undefined
  #streams = 0
  #closed = false

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.id = parts.id
    this.principal = parts.principal
    const own = { [sessionHeader]: parts.id }
    this.#headers = { json: { ...jsonHeaders, ...own }, stream: { ...streamHeaders, ...own } }
    this.#agreed = parts.serve(this)
  }

  /** The revision its handshake agreed on, once there was one. */
  get revision(): string | undefined {
    return this.#agreed.dialect?.revision
  }

  /** Whether something is under way or somebody listens, so that the session is not idle. */
  get isBusy(): boolean {
    return this.#answering.size > 0 || this.#standalone.some((stream) => stream.isConnected)
  }

  /** Whether several messages may be posted as one array. */
  get hasBatches(): boolean {
    return this.#agreed.dialect?.batches === true
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver
  }

  send(message: Message | readonly Message[], { relatedTo }: SendOptions = {}): Promise<void> | undefined {
    if (this.#closed)
      return Promise.reject(new McpError('NotSent', 'Cannot send: the session is over', { outcome: 'NotSent' }))
    if (isBatch(message)) return this.#finish(message, idsOf(message))
    if (!('method' in message)) return this.#answer(message)
    const related = relatedTo === undefined ? undefined : this.#answering.get(relatedTo)
    return (related ?? this.#listener()).tell(message)
  }

  /** Ends the response that waits for an answer, where its first event told the client how to come back. */
  release(id: Id): void {
    if (this.#primes) this.#answering.get(id)?.disconnect()
  }

  /** A request was cancelled, so its response is over as well. */
  unanswered(id: Id): void {
    const stream = this.#answering.get(id)
    this.#answering.delete(id)
    // those of a batch share one, which ends with the last
    if (stream && ![...this.#answering.values()].includes(stream)) stream.drop()
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    for (const stream of [...this.#answering.values(), ...this.#standalone]) {
      stream.disconnect()
      stream.drop()
    }
    for (const key of this.#kept.keys()) this.#parts.store.drop(key)
    this.#answering.clear()
    this.#kept.clear()
    this.#parts.onClose()
    this.#receiver?.closed()
  }

  /** Takes what a client posted; the answers to its requests go out on `reply`. */
  receive(posted: Message | readonly Message[], origin: Origin, reply: HttpReply): void {
    const ids = isBatch(posted) ? posted.filter(isRequest).map(({ id }) => id) : isRequest(posted) ? [posted.id] : []
    if (ids.length > 0) {
      this.#assertUnused(ids)
      const stream = this.#stream(this.#parts.take(this.principal))
      stream.connect(reply)
      for (const id of ids) this.#answering.set(id, stream)
    }
    this.#receiver?.message(posted, origin)
    if (ids.length === 0) reply.whole(202, {})
  }

  /** Opens a stream for what belongs to no request; `false` when there are too many already. */
  listen(reply: HttpReply): boolean {
    const idle = this.#standalone.find((stream) => !stream.isConnected)
    if (!idle && this.#standalone.length >= mostStandalone) return false
    const stream = idle ?? this.#standaloneStream()
    stream.start(reply)
    return true
  }

  /** Takes up a stream where its client lost it; `false` when that can no longer be done without a gap. */
  resume(lastEventId: string, reply: HttpReply): boolean {
    const dot = lastEventId.lastIndexOf('.')
    const stream = this.#kept.get(lastEventId.slice(0, dot))
    const number = Number(lastEventId.slice(dot + 1))
    return stream !== undefined && Number.isSafeInteger(number) && stream.resume(reply, number)
  }

  // the first answer would have nowhere to go
  #assertUnused(ids: readonly Id[]): void {
    const id = ids.find((one) => this.#answering.has(one))
    if (id === undefined) return
    throw new Malformed(`Cannot serve a request: id ${JSON.stringify(id)} is in use`, { id, field: 'id' })
  }

  get #primes(): boolean {
    return this.#agreed.dialect?.http.primes === true
  }

  #answer(response: Response): undefined {
    const { id } = response
    const stream = id === undefined || id === null ? undefined : this.#answering.get(id)
    if (stream) this.#answering.delete(id as Id)
    stream?.finish(response)
    // without an agreement nobody will come back to it
    if (this.revision === undefined) void this.close()
  }

  #finish(message: readonly Message[], ids: readonly Id[]): undefined {
    const stream = ids.map((id) => this.#answering.get(id)).find((found) => found !== undefined)
    for (const id of ids) this.#answering.delete(id)
    stream?.finish(message)
  }

  #listener(): SessionStream {
    return this.#standalone.find((stream) => stream.isConnected) ?? this.#standalone[0] ?? this.#standaloneStream()
  }

  #standaloneStream(): SessionStream {
    const stream = this.#stream()
    this.#standalone.push(stream)
    return stream
  }

  #stream(onComplete: () => void = () => {}): SessionStream {
    const { store, retryMs } = this.#parts
    return new SessionStream({
      key: `${this.#alias}-${this.#streams++}`,
      store,
      primes: this.#primes,
      retryMs,
      headers: this.#headers,
      onFirstEvent: this.#keep,
      onComplete,
    })
  }

  /** A stream without events is nothing to come back to, and most requests are answered without. */
  readonly #keep = (stream: SessionStream): void => {
    this.#kept.set(stream.key, stream)
    if (this.#kept.size > mostKept + this.#answering.size + this.#standalone.length) this.#forgetOldest()
  }

  #forgetOldest(): void {
    for (const [key, stream] of this.#kept) {
      if (stream.isConnected || this.#standalone.includes(stream)) continue
      this.#kept.delete(key)
      this.#parts.store.drop(key)
      return
    }
  }
}

function idsOf(messages: readonly Message[]): readonly Id[] {
  return messages.flatMap((message) =>
    'id' in message && message.id !== undefined && message.id !== null ? [message.id] : [],
  )
}
