import { randomId } from '@trunkline/base/random-id'
import type { ClusterMember } from '../../cluster/member.ts'
import type { Channel, Sender } from '../../rpc/channel.ts'
import type { Message } from '../../wire/messages.ts'
import type { Reading } from '../../wire/read-messages.ts'
import { streamHeaders } from '../http/headers.ts'
import { acceptsEvents, isJsonContentType } from '../http/media-type.ts'
import type { BodyLimits } from '../http/server/body-limits.ts'
import { ConcurrencyLimit } from '../http/server/concurrency-limit.ts'
import type { HttpLimits } from '../http/server/http-limits.ts'
import { orAway } from '../http/server/or-away.ts'
import { readPosted } from '../http/server/read-posted.ts'
import {
  eventStreamNotAccepted,
  HttpRefusal,
  methodNotAllowed,
  notJsonContent,
  sessionNotFound,
} from '../http/server/refusals.ts'
import type { HttpReply, HttpRequest } from '../http/server/request-reply.ts'
import { SseSession } from './sse-session.ts'

/** The paths of HTTP+SSE. */
export interface SseOptions {
  /** The path of the stream. @default /sse */
  readonly path?: string
  /** The path for messages. @default /messages */
  readonly postPath?: string
}

/** The defaults. */
export const sseDefaults = {
  path: '/sse',
  postPath: '/messages',
} as const satisfies SseOptions

export interface SseParts {
  /** This process in its cluster, if there is one. */
  readonly member?: ClusterMember | undefined
  readonly limits: Pick<HttpLimits, 'maxSseStreams' | 'maxSseStreamsPerCaller'>
  /** Serves a channel. */
  serve(channel: Channel): unknown
  /** Takes a slot for a request in flight; the returned function releases it. */
  take(principal: string | undefined): () => void
  /** Answers a refused request. */
  refuse(error: unknown, reply: HttpReply): void
}

/** The endpoint of HTTP+SSE: the stream, and the path for messages. */
export class SseEndpoint {
  readonly #options: Required<SseOptions>
  readonly #parts: SseParts
  readonly #sessions = new Map<string, SseSession>()
  readonly #streams: ConcurrencyLimit

  constructor(parts: SseParts, options: SseOptions) {
    this.#options = { ...sseDefaults, ...options }
    this.#parts = parts
    parts.member?.on(about, ({ session, sender, message }) =>
      this.#forwarded(session as string, sender as Sender, message as Message),
    )
    this.#streams = new ConcurrencyLimit('streams', parts.limits.maxSseStreams, parts.limits.maxSseStreamsPerCaller)
  }

  get size(): number {
    return this.#sessions.size
  }

  get paths(): readonly string[] {
    return [this.#options.path, this.#options.postPath]
  }

  /** Answers a request to one of the two paths. */
  handle(request: HttpRequest, reply: HttpReply, bodies: BodyLimits): void {
    const { path, postPath } = this.#options
    if (request.path === path && request.method === 'GET') return this.#open(request, reply)
    if (request.path === postPath && request.method === 'POST') return this.#post(request, reply, bodies)
    throw methodNotAllowed(request.path === path ? 'GET' : 'POST')
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close()))
  }

  #open(request: HttpRequest, reply: HttpReply): void {
    if (!acceptsEvents(request.header('accept'))) throw eventStreamNotAccepted()
    const { member } = this.#parts
    // others can pass messages on only to a process that has joined
    if (!member?.joining) return this.#start(request, reply)
    orAway(member, () => member.joining)
      .then(() => this.#start(request, reply))
      .catch((error: unknown) => this.#parts.refuse(error, reply))
  }

  #start(request: HttpRequest, reply: HttpReply): void {
    const { principal } = request.sender
    const release = this.#streams.take(principal)
    // the id of a session says which process has it
    const id = this.#parts.member ? `${this.#parts.member.epoch}.${randomId(33)}` : randomId(33)
    const session = new SseSession({
      id,
      sink: reply.stream(streamHeaders),
      postPath: this.#options.postPath,
      principal,
      take: this.#parts.take,
      onClose: () => {
        release()
        this.#sessions.delete(session.id)
      },
    })
    this.#sessions.set(session.id, session)
    reply.onGone(() => void session.close())
    this.#parts.serve(session)
  }

  #post(request: HttpRequest, reply: HttpReply, bodies: BodyLimits): void {
    if (!isJsonContentType(request.header('content-type'))) {
      throw notJsonContent()
    }
    const id = request.query('session') ?? ''
    const session = this.#sessions.get(id)
    const owner = session ? undefined : this.#ownerOf(id)
    if (owner !== undefined) return this.#forward(owner, id, request, reply, bodies)
    if (!session || session.principal !== request.sender.principal) throw sessionNotFound()
    readPosted(request, bodies, (reading) => {
      try {
        const message = messageOf(reading)
        session.takeSlot(message)
        reply.whole(202, {})
        session.receive(message, request.sender)
      } catch (error) {
        this.#parts.refuse(error, reply)
      }
    })
  }

  /** The other process that a session is named after. */
  #ownerOf(id: string): string | undefined {
    const { member } = this.#parts
    const owner = member && /^([\w-]{12})\.[\w-]{33}$/.exec(id)?.[1]
    return owner === member?.epoch ? undefined : owner
  }

  /** Passes a message on to the process with the stream; 404 once that is gone, and the session with it. */
  #forward(owner: string, session: string, request: HttpRequest, reply: HttpReply, bodies: BodyLimits): void {
    const { member } = this.#parts
    const { principal, scopes, claims, expiresAt } = request.sender
    readPosted(request, bodies, async (reading) => {
      try {
        const message = messageOf(reading)
        const entry = { about, session, sender: { principal, scopes, claims, expiresAt }, message }
        const heard = member ? await orAway(member, () => member.tell([owner], entry)) : []
        if (heard.length === 0) throw sessionNotFound()
        reply.whole(202, {})
      } catch (error) {
        this.#parts.refuse(error, reply)
      }
    })
  }

  #forwarded(id: string, sender: Sender, message: Message): void {
    const session = this.#sessions.get(id)
    if (!session || session.principal !== sender.principal) return
    try {
      session.takeSlot(message)
      session.receive(message, sender)
    } catch (error) {
      session.refuse(message, error)
    }
  }
}

/** Name of entries with a message for a session of another process. */
const about = 'HTTP+SSE message'

function messageOf(reading: Reading | Error): Message {
  if (reading instanceof Error) throw reading
  if (Array.isArray(reading)) throw new HttpRefusal(400, 'Bad request: this revision has no batches')
  return reading as Message
}
