import type { Dialect } from '../../../dialects/dialect.ts'
import type { Channel, Receiver, Sender, SendOptions } from '../../../rpc/channel.ts'
import type { EventStore } from '../../../stores/event-store.ts'
import type { SessionRecord } from '../../../stores/session-store.ts'
import { Malformed } from '../../../wire/classify.ts'
import { McpError } from '../../../wire/errors.ts'
import type { Id, Message, Response } from '../../../wire/messages.ts'
import { jsonHeaders, sessionHeader, streamHeaders } from '../headers.ts'
import { isBatch, isRequest } from '../server/message-kind.ts'
import type { HttpReply } from '../server/request-reply.ts'
import type { SessionPersistence } from './session-persistence.ts'
import type { SessionStream, StreamHeaders } from './session-stream.ts'
import { StreamRouting } from './stream-routing.ts'

export interface SessionParts {
  readonly id: string
  readonly principal: string | undefined
  /** Names it in the ids of its events, and starts the names of its streams. */
  readonly alias: string
  readonly prefix: string
  readonly events: EventStore
  readonly retryMs: number
  /** Where the session can go on elsewhere. */
  readonly persistence: SessionPersistence | undefined
  /** Serves the session, and tells what its handshake agreed on. */
  serve(session: Session): Agreed
  /** Takes a slot for what a caller has under way; the returned function gives it back. */
  take(principal: string | undefined): () => void
  /** Takes note of an error that nobody outside should know more about. */
  report(error: unknown, what: string): void
  /** Called once, when the session is over. */
  onClose(): void
}

/** What a handshake agreed on, once there was one. */
export interface Agreed {
  readonly dialect: Pick<Dialect, 'revision' | 'http' | 'batches'> | undefined
}

const plainHeaders: StreamHeaders = { json: jsonHeaders, stream: streamHeaders }

/** The answer to the handshake names the session, and no other has to. */
function namingHeaders(id: string): StreamHeaders {
  const own = { [sessionHeader]: id }
  return { json: { ...jsonHeaders, ...own }, stream: { ...streamHeaders, ...own } }
}

/** A conversation that outlives the requests it is made of: the channel of a handshake revision over HTTP. */
export class Session implements Channel {
  readonly id: string
  readonly principal: string | undefined
  readonly #parts: SessionParts
  readonly #streams: StreamRouting
  readonly #agreed: Agreed
  #receiver: Receiver | undefined
  #closed = false

  constructor(parts: SessionParts) {
    const { alias, prefix, events: store, retryMs, report } = parts
    this.#parts = parts
    this.id = parts.id
    this.principal = parts.principal
    const headers = (): StreamHeaders => (this.revision === undefined ? namingHeaders(parts.id) : plainHeaders)
    this.#streams = new StreamRouting({ alias, prefix, store, retryMs, headers, report, primes: () => this.#primes })
    this.#agreed = parts.serve(this)
  }

  /** The revision its handshake agreed on, once there was one. */
  get revision(): string | undefined {
    return this.#agreed.dialect?.revision
  }

  /** Whether something is under way or somebody listens, so that the session is not idle. */
  get isBusy(): boolean {
    return this.#streams.isBusy
  }

  /** Whether several messages may be posted as one array. */
  get hasBatches(): boolean {
    return this.#agreed.dialect?.batches === true
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver
  }

  /** Becomes what it was elsewhere: what made it so is said again, and the answers are for nobody. */
  restore({ messages }: SessionRecord): void {
    const sender = this.principal === undefined ? {} : { principal: this.principal }
    for (const message of messages) this.#receiver?.message(message, sender)
    this.#closeUnlessAgreed()
  }

  send(message: Message | readonly Message[], options: SendOptions = {}): Promise<void> | undefined {
    if (this.#closed)
      return Promise.reject(new McpError('NotSent', 'Cannot send: the session is over', { outcome: 'NotSent' }))
    if (isBatch(message)) return this.#finish(message)
    if (!('method' in message)) return this.#answer(message)
    const { relatedTo } = options
    const related = relatedTo === undefined ? undefined : this.#streams.answering(relatedTo)
    return (related ?? this.#streams.listener()).tell(message, options)
  }

  /** Ends the response that waits for an answer, where its first event told the client how to come back. */
  release(id: Id): void {
    if (this.#primes) this.#streams.answering(id)?.disconnect()
  }

  unanswered(id: Id): void {
    this.#parts.persistence?.forget(id)
    this.#streams.unanswered(id)
  }

  /** Ends it here; where it is kept it can go on elsewhere. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#streams.close()
    if (!this.#parts.persistence) this.#streams.forget()
    this.#parts.onClose()
    this.#receiver?.closed()
    await this.#parts.persistence?.saved()
  }

  /** Ends it for good. */
  async end(): Promise<void> {
    await this.close()
    this.#streams.forget()
    await this.#parts.persistence?.drop()
  }

  /** Takes what a client posted; the answers to its requests go out on `reply`. */
  receive(posted: Message | readonly Message[], sender: Sender, reply: HttpReply): void {
    const ids = isBatch(posted) ? posted.filter(isRequest).map(({ id }) => id) : isRequest(posted) ? [posted.id] : []
    this.#assertUnused(ids)
    const stream = ids.length > 0 ? this.#streams.open(ids, reply, this.#parts.take(this.principal)) : undefined
    if (this.#parts.persistence) for (const message of [posted].flat()) this.#parts.persistence.heard(message)
    this.#receiver?.message(posted, sender)
    if (stream) stream.watch()
    else reply.whole(202, {})
  }

  /** Opens a stream for what belongs to no request; `false` when there are too many already. */
  listen(reply: HttpReply): Promise<boolean> | boolean {
    return this.#streams.listen(reply)
  }

  /** Takes up a stream where its client lost it; `false` when that can no longer be done without a gap. */
  resume(lastEventId: string, reply: HttpReply): Promise<boolean> | boolean {
    return this.#streams.resume(lastEventId, reply)
  }

  // the first answer would have nowhere to go
  #assertUnused(ids: readonly Id[]): void {
    const id = ids.find((one) => this.#streams.answering(one))
    if (id === undefined) return
    throw new Malformed(`Cannot serve a request: id ${JSON.stringify(id)} is in use`, { id, field: 'id' })
  }

  get #primes(): boolean {
    return this.#agreed.dialect?.http.primes === true
  }

  #answer(response: Response): undefined {
    const { id } = response
    const stream = id === undefined || id === null ? undefined : this.#streams.answered(id)
    const kept = this.#parts.persistence?.answered(response)
    if (kept) this.#answerLater(kept, response, stream)
    else stream?.finish(response)
    this.#closeUnlessAgreed()
  }

  // without an agreement nobody will come back to it
  #closeUnlessAgreed(): void {
    if (this.revision === undefined) void this.close()
  }

  #answerLater(kept: Promise<void>, response: Response, stream: SessionStream | undefined): void {
    kept.then(
      () => stream?.finish(response),
      (error: unknown) => {
        this.#parts.report(error, 'Keeping a session')
        stream?.refuse(error)
        void this.close()
      },
    )
  }

  #finish(responses: readonly Message[]): undefined {
    const streams = responses.map((response) => {
      if ('method' in response) return undefined
      this.#parts.persistence?.answered(response)
      return response.id === undefined || response.id === null ? undefined : this.#streams.answered(response.id)
    })
    streams.find((stream) => stream !== undefined)?.finish(responses)
  }
}
