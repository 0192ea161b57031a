import type { ClusterMember } from '../../../cluster/member.ts'
import type { Dialect } from '../../../dialects/dialect.ts'
import type { Change } from '../../../model/types.ts'
import type { Channel, Receiver, Sender, SendOptions } from '../../../rpc/channel.ts'
import type { EventStore } from '../../../stores/event-store.ts'
import type { SessionRecord } from '../../../stores/session-store.ts'
import { Malformed } from '../../../wire/classify.ts'
import { McpError } from '../../../wire/errors.ts'
import type { Id, Message, ResponseMessage } from '../../../wire/messages.ts'
import { jsonHeaders, sessionHeader, streamHeaders } from '../headers.ts'
import { replyWithError } from '../server/error-reply.ts'
import { isBatch, isRequest } from '../server/message-kind.ts'
import { HttpRefusal } from '../server/refusals.ts'
import type { HttpReply } from '../server/request-reply.ts'
import type { MessageForwarding } from './message-forwarding.ts'
import { Outbox } from './outbox.ts'
import type { Persistence } from './session-persistence.ts'
import type { SessionStream, StreamHeaders } from './session-stream.ts'
import type { StreamFollowers } from './stream-followers.ts'
import { StreamRouting } from './stream-routing.ts'

export interface SessionParts {
  readonly id: string
  readonly principal: string | undefined
  /** The name of the session in event ids and stream names. */
  readonly alias: string
  readonly prefix: string
  readonly events: EventStore
  readonly retryMs: number
  /** Saves the session, if there is a store. */
  readonly persistence: Persistence | undefined
  /** Passes messages on to other processes that have the session, if there are some. */
  readonly forwarding?: MessageForwarding | undefined
  /** Place in the log of changes at which the session began, in a cluster. */
  readonly beganAt?: string | undefined
  /** This process in its cluster, if there is one. */
  readonly member?: ClusterMember | undefined
  /** Streams that are resumed at other processes, in a cluster. */
  readonly followers?: StreamFollowers | undefined
  /** Serves the session. */
  serve(session: Session): Agreed
  /** Takes a slot for a request in flight; the returned function releases it. */
  take(principal: string | undefined): () => void
  /** Logs an internal error. */
  report(error: unknown, what: string): void
  /** Called once, when the session has ended. */
  onClose(): void
}

/** The negotiated dialect, after a handshake. */
export interface Agreed {
  readonly dialect: Pick<Dialect, 'revision' | 'http' | 'batches'> | undefined
  /** Tells the session alone of a change. */
  hear?(change: Change): void
  /** Tells the session that everything it watches may have changed. */
  hearAll?(number: number): void
}

const plainHeaders: StreamHeaders = { json: jsonHeaders, stream: streamHeaders }

/** The answer to the handshake names the session, and no other has to. */
function namingHeaders(id: string): StreamHeaders {
  const own = { [sessionHeader]: id }
  return { json: { ...jsonHeaders, ...own }, stream: { ...streamHeaders, ...own } }
}

/** A session over HTTP: the channel of a handshake revision, which lasts over many requests. */
export class Session implements Channel {
  readonly id: string
  readonly principal: string | undefined
  readonly nextId?: () => string
  readonly #parts: SessionParts
  readonly #streams: StreamRouting
  readonly #outbox: Outbox | undefined
  readonly #agreed: Agreed
  #revision: string | undefined
  #receiver: Receiver | undefined
  /** True once its handshake is stored. */
  #isStored = false
  #closed = false

  constructor(parts: SessionParts) {
    const { alias, prefix, events: store, retryMs, report } = parts
    this.#parts = parts
    this.id = parts.id
    this.principal = parts.principal
    const headers = (): StreamHeaders => (this.revision === undefined ? namingHeaders(parts.id) : plainHeaders)
    const primes = (): boolean => this.#primes
    const { id, member, beganAt } = parts
    const hears = {
      hear: (change: Change) => this.#agreed.hear?.(change),
      hearAll: (number: number) => this.#agreed.hearAll?.(number),
    }
    this.#outbox = member && new Outbox({ id, alias, member, beganAt, retryMs, primes, headers, ...hears })
    const shared = member && parts.followers && { member, followers: parts.followers }
    this.#streams = new StreamRouting({
      shared,
      alias,
      prefix,
      store,
      retryMs,
      headers,
      report,
      primes,
      outbox: this.#outbox,
    })
    if (member) this.nextId = () => member.nextId()
    this.#agreed = parts.serve(this)
  }

  /** The negotiated revision, after a handshake. */
  get revision(): string | undefined {
    // looked up once: a session has one handshake, and every request asks
    this.#revision ??= this.#agreed.dialect?.revision
    return this.#revision
  }

  /** True while a request is in flight or a stream is open, so that the session is not idle. */
  get isBusy(): boolean {
    return this.#streams.isBusy
  }

  /** True if several messages may be posted as one array. */
  get hasBatches(): boolean {
    return this.#agreed.dialect?.batches === true
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver
  }

  /** True while a request of this id is unanswered here. */
  isAnswering(id: unknown): boolean {
    return this.#streams.answering(id as Id) !== undefined
  }

  /** Restores the session: replays its recorded messages and drops the answers. */
  restore(messages: SessionRecord['messages'], sender: Sender): void {
    this.#isStored = true
    for (const message of messages) this.#receiver?.message(message, sender)
    this.#closeUnlessAgreed()
  }

  send(message: Message | readonly Message[], options: SendOptions = {}): Promise<void> | undefined {
    if (this.#closed)
      return Promise.reject(new McpError('NotSent', 'Cannot send: the session has ended', { outcome: 'NotSent' }))
    if (isBatch(message)) return this.#finish(message)
    if (!('method' in message)) return this.#answer(message)
    const { relatedTo } = options
    const related = relatedTo === undefined ? undefined : this.#streams.answering(relatedTo)
    return (related ?? this.#streams.listener()).tell(message, options)
  }

  /** Ends the response of a request, if the client can resume it. */
  release(id: Id): void {
    if (this.#primes) this.#streams.answering(id)?.disconnect()
  }

  unanswered(id: Id): void {
    this.#parts.persistence?.forget(id)
    this.#streams.unanswered(id)
  }

  /** Closes the session in this process; it stays in the store. */
  async close(): Promise<void> {
    await this.#close(() => this.#streams.close())
  }

  /** Closes the session because this process ends, while others go on with it. */
  async leave(): Promise<void> {
    await this.#close(() => this.#streams.leave())
  }

  async #close(closeStreams: () => void): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    closeStreams()
    if (!this.#parts.persistence) this.#streams.forget()
    this.#parts.onClose()
    this.#receiver?.closed()
    await this.#parts.persistence?.saved()
  }

  /** Ends the session, also in the store. */
  async end(): Promise<void> {
    await this.close()
    this.#streams.forget()
    await this.#parts.persistence?.drop()
  }

  /** Receives the messages of a POST; their answers are sent on `reply`. */
  receive(posted: Message | readonly Message[], sender: Sender, reply: HttpReply): void {
    const ids = isBatch(posted) ? posted.filter(isRequest).map(({ id }) => id) : isRequest(posted) ? [posted.id] : []
    this.#assertUnused(ids)
    const stream = ids.length > 0 ? this.#streams.open(ids, reply, this.#parts.take(this.principal)) : undefined
    const kept = this.#parts.persistence && this.#heard(posted)
    const forwarded = this.#parts.forwarding?.forward(posted, this)
    if (!forwarded) this.#receiver?.message(posted, sender)
    else for (const message of forwarded.here) this.#receiver?.message(message, sender)
    if (stream) stream.watch()
    else if (kept || forwarded) this.#accept(reply, [kept, forwarded?.sent])
    else reply.whole(202, {})
  }

  /** True while a stream is open for messages that belong to no request, in a cluster. */
  get isListening(): boolean {
    return this.#outbox?.isConnected === true
  }

  /** Announces changes again that may have come before the session watched them, in a cluster. */
  catchUp(): void {
    this.#outbox?.catchUp()
  }

  /** Looks for messages that another process has for the client. */
  outboxGrew(): void {
    this.#outbox?.grew()
  }

  /** Fails the open questions, because their answers may have been dropped; a call that waits for one ends with the error. */
  answersLost(): void {
    const message =
      'Cannot tell the answer to a question: this process was cut off from the others, which may have dropped it'
    this.#receiver?.lost?.(new McpError('Closed', message, { outcome: 'Unknown' }))
  }

  /** Receives a message that another process passed on. */
  deliver(message: Message): void {
    this.#receiver?.message(message)
  }

  /** Opens a stream for messages that belong to no request; `false` when there are too many. */
  listen(reply: HttpReply): Promise<boolean> | boolean {
    return this.#streams.listen(reply)
  }

  /** Resumes a stream after an event; `false` when events are missing. */
  resume(lastEventId: string, reply: HttpReply): Promise<boolean> | boolean {
    return this.#streams.resume(lastEventId, reply)
  }

  #heard(posted: Message | readonly Message[]): Promise<unknown> | undefined {
    if (!isBatch(posted)) return this.#parts.persistence?.heard(posted)
    const kept = posted.map((message) => this.#parts.persistence?.heard(message)).filter((each) => each !== undefined)
    return kept.length > 0 ? Promise.all(kept) : undefined
  }

  /** Accepts messages without an answer, once they are where they have to be. */
  #accept(reply: HttpReply, waiting: readonly (Promise<unknown> | undefined)[]): void {
    Promise.all(waiting).then(
      () => reply.whole(202, {}),
      (error: unknown) => {
        if (!replyWithError(error, reply)) this.#parts.report(error, 'A message')
      },
    )
  }

  // two requests with one id could not be answered
  #assertUnused(ids: readonly Id[]): void {
    const id = ids.find((one) => this.#streams.answering(one))
    if (id === undefined) return
    throw new Malformed(`Cannot serve a request: id ${JSON.stringify(id)} is in use`, { id, field: 'id' })
  }

  get #primes(): boolean {
    return this.#agreed.dialect?.http.primes === true
  }

  #answer(response: ResponseMessage): undefined {
    const { id } = response
    const stream = id === undefined || id === null ? undefined : this.#streams.answered(id)
    const kept = this.#parts.persistence?.answered(response)
    if (kept) this.#answerLater(kept, response, stream)
    else stream?.finish(response)
    this.#closeUnlessAgreed()
  }

  // without a handshake the client will not use the session
  #closeUnlessAgreed(): void {
    if (this.revision === undefined) void this.close()
  }

  #answerLater(
    kept: Promise<unknown>,
    response: Message | readonly Message[],
    stream: SessionStream | undefined,
  ): void {
    kept.then(
      () => {
        this.#isStored = true
        stream?.finish(response)
      },
      (error: unknown) => {
        if (!(error instanceof HttpRefusal)) this.#parts.report(error, 'Storing a session')
        stream?.refuse(error)
        if (!this.#isStored) void this.close()
      },
    )
  }

  #finish(responses: readonly Message[]): undefined {
    const kept: Promise<void>[] = []
    const streams = responses.map((response) => {
      if ('method' in response) return undefined
      const keeping = this.#parts.persistence?.answered(response)
      if (keeping) kept.push(keeping)
      return response.id === undefined || response.id === null ? undefined : this.#streams.answered(response.id)
    })
    const stream = streams.find((each) => each !== undefined)
    if (kept.length === 0) stream?.finish(responses)
    else this.#answerLater(Promise.all(kept), responses, stream)
  }
}
