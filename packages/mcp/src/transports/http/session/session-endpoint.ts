import type { ClusterMember } from '../../../cluster/member.ts'
import { headerNames } from '../../../dialects/http-status.ts'
import type { Message, RequestMessage } from '../../../wire/messages.ts'
import { lastEventHeader, sessionHeader } from '../headers.ts'
import { acceptsEvents } from '../media-type.ts'
import type { ConcurrencyLimit } from '../server/concurrency-limit.ts'
import { isBatch } from '../server/message-kind.ts'
import { orAway } from '../server/or-away.ts'
import { eventStreamNotAccepted, HttpRefusal, noBatches, notAgreed, sessionNotFound } from '../server/refusals.ts'
import type { HttpReply, HttpRequest } from '../server/request-reply.ts'
import type { Service } from '../server/service.ts'
import type { Session } from './session.ts'
import { type SessionLimits, type SessionOptions, SessionTable } from './session-table.ts'

export interface SessionEndpointParts {
  readonly service: Service
  /** Limits the requests in flight. */
  readonly slots: ConcurrencyLimit
  readonly limits: SessionLimits
  /** This process in its cluster, if there is one. */
  readonly member?: ClusterMember | undefined
  /** Answers a refused request. */
  refuse(error: unknown, reply: HttpReply): void
}

/** Serves the HTTP requests of sessions: POST, GET and DELETE. */
export class SessionEndpoint {
  readonly #parts: SessionEndpointParts
  readonly #sessions: SessionTable

  constructor(parts: SessionEndpointParts, options: SessionOptions) {
    const { service, slots, limits, member } = parts
    this.#parts = parts
    this.#sessions = new SessionTable(
      {
        serve: (session) => service.serve(session),
        take: (principal) => slots.take(principal),
        report: (error, what) => service.report(error, what),
        limits,
        member,
      },
      options,
    )
  }

  get size(): number {
    return this.#sessions.size
  }

  /** Opens a session. */
  open(initialize: RequestMessage, { sender }: HttpRequest, reply: HttpReply): void {
    const start = (): void => {
      // checked first, because a session whose answer is refused would stay open
      this.#parts.slots.assertRoom(sender.principal)
      this.#sessions.start(sender.principal).receive(initialize, sender, reply)
    }
    const { member } = this.#parts
    if (!member?.joining) return start()
    orAway(member, () => member.joining)
      .then(start)
      .catch((error: unknown) => this.#parts.refuse(error, reply))
  }

  /** Serves a POST of a session. */
  post(posted: Message | readonly Message[], request: HttpRequest, reply: HttpReply): void {
    this.#within(request, reply, (session) => {
      if (isBatch(posted) && !session.hasBatches) throw noBatches()
      session.receive(posted, request.sender, reply)
    })
  }

  /** Serves a GET of a session: opens a stream, or resumes one. */
  get(request: HttpRequest, reply: HttpReply): void {
    if (!acceptsEvents(request.header('accept'))) throw eventStreamNotAccepted()
    const lastEventId = request.header(lastEventHeader)
    this.#within(request, reply, (session) => {
      const opened = lastEventId === undefined ? session.listen(reply) : session.resume(lastEventId, reply)
      this.#orRefuse(opened, reply, lastEventId === undefined ? tooManyStreams : noLongerKept)
      void this.#lookAgain(session, opened, request)
    })
  }

  /** Looks for subscriptions that came while a stream was opened: from then on this process is told of them, not before. */
  async #lookAgain(session: Session, opened: Promise<boolean> | boolean, { sender }: HttpRequest): Promise<void> {
    const { member } = this.#parts
    if (!member) return
    const isOpen = await Promise.resolve(opened).catch(() => false)
    if (isOpen && session.isListening) await this.#sessions.refresh(session.id, member, sender).catch(member.failed)
  }

  /** Serves a DELETE of a session. */
  delete(request: HttpRequest, reply: HttpReply): void {
    this.#within(request, reply, (session) => {
      this.#orAway(this.#sessions.end(session)).then(
        () => reply.whole(200, {}),
        (error: unknown) => this.#parts.refuse(error, reply),
      )
    })
  }

  async closeAll(): Promise<void> {
    await this.#sessions.closeAll()
  }

  /** Finds the session of a request, or restores it from the store. */
  #within(request: HttpRequest, reply: HttpReply, go: (session: Session) => void): void {
    const id = request.header(sessionHeader)
    if (id === undefined) throw new HttpRefusal(400, `Bad request: header "${sessionHeader}" is missing`)
    const { principal } = request.sender
    const enter = (): void => {
      const session = this.#sessions.find(id, principal)
      if (!session) throw sessionNotFound()
      assertAgreed(request, session)
      go(session)
    }
    const { member } = this.#parts
    if (!member && !this.#sessions.mayRestore(id)) return enter()
    const finished = this.#parts.slots.take(principal)
    const restored = member ? this.#refreshed(id, member, request) : this.#sessions.restore(id, principal)
    restored
      .finally(finished)
      .then(enter)
      .catch((error: unknown) => this.#parts.refuse(error, reply))
  }

  #refreshed(id: string, member: ClusterMember, { sender }: HttpRequest): Promise<void> {
    return orAway(member, async () => {
      if (member.joining) await member.joining
      await this.#sessions.refresh(id, member, sender)
    })
  }

  #orRefuse(isDone: Promise<boolean> | boolean, reply: HttpReply, refusal: () => HttpRefusal): void {
    const check = (isDoneNow: boolean): void => {
      if (!isDoneNow) throw refusal()
    }
    if (isDone instanceof Promise)
      this.#orAway(isDone)
        .then(check)
        .catch((error: unknown) => this.#parts.refuse(error, reply))
    else check(isDone)
  }

  #orAway<Result>(step: Promise<Result>): Promise<Result> {
    const { member } = this.#parts
    return member ? orAway(member, () => step) : step
  }
}

function assertAgreed(request: HttpRequest, { revision }: Session): void {
  const version = request.header(headerNames.version)
  if (version !== undefined && revision !== undefined && version !== revision) throw notAgreed(version)
}

const tooManyStreams = (): HttpRefusal => new HttpRefusal(409, 'Too many streams are open in this session')
const noLongerKept = (): HttpRefusal =>
  new HttpRefusal(400, 'Cannot resume: the events after this one are no longer stored')
