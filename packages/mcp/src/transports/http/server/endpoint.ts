import type { Authenticator } from '../../../auth/resource/authenticator.ts'
import type { ClusterMember } from '../../../cluster/member.ts'
import { headerNames, namesOwnRevision } from '../../../dialects/http-status.ts'
import type { Channel } from '../../../rpc/channel.ts'
import type { Incoming } from '../../../rpc/incoming.ts'
import { PassingSet } from '../../../rpc/passing-set.ts'
import { RpcError } from '../../../wire/errors.ts'
import type { Message, RequestMessage } from '../../../wire/messages.ts'
import type { Reading } from '../../../wire/read-messages.ts'
import { resolveLimits } from '../../../wire/resolve-limits.ts'
import { SlowReaders } from '../../backpressure.ts'
import { SseEndpoint } from '../../sse/sse-endpoint.ts'
import { checkedDelay, settlesWithin } from '../../timers.ts'
import { sessionHeader } from '../headers.ts'
import { acceptsBoth, isJsonContentType } from '../media-type.ts'
import { SessionEndpoint } from '../session/session-endpoint.ts'
import { type AuthenticatedConnection, HttpAuthentication } from './authenticate.ts'
import { BodyLimits } from './body-limits.ts'
import { ConcurrencyLimit } from './concurrency-limit.ts'
import { cors } from './cors.ts'
import { type EndpointOptions, endpointDefaults } from './endpoint-options.ts'
import { replyWithError } from './error-reply.ts'
import { Exchange } from './exchange.ts'
import { guard } from './guard.ts'
import { httpLimits } from './http-limits.ts'
import { isBatch, isRequest } from './message-kind.ts'
import { readPosted } from './read-posted.ts'
import { HttpRefusal, methodNotAllowed, noBatches, notAgreed, notJsonContent, shuttingDown } from './refusals.ts'
import type { HttpReply, HttpRequest } from './request-reply.ts'
import type { Service } from './service.ts'

/** An HTTP endpoint for every revision: checks each request, and passes it to an exchange or to its session. */
export class Endpoint {
  /** Milliseconds that requests in flight may take when it closes. */
  readonly drainMs: number
  /** The connections that do not read. */
  readonly readers: SlowReaders
  readonly #service: Service
  readonly #guard: ReturnType<typeof guard>
  readonly #cors: ReturnType<typeof cors>
  readonly #authentication: HttpAuthentication | undefined
  readonly #sessions: SessionEndpoint | undefined
  readonly #slots: ConcurrencyLimit
  readonly #listens: ConcurrencyLimit
  readonly #sse: SseEndpoint | undefined
  readonly #bodies: BodyLimits
  readonly #member: ClusterMember | undefined
  readonly #underWay = new PassingSet<Incoming>()
  #closing: Promise<void> | undefined
  #isRetiring = false

  constructor(service: Service, options: EndpointOptions = {}, member?: ClusterMember) {
    const limits = resolveLimits(httpLimits, options.limits)
    const { drainMs } = { ...endpointDefaults, ...options }
    this.#service = service
    this.#guard = guard(options)
    this.#cors = cors(options.cors)
    this.#bodies = new BodyLimits(limits.maxMessageBytes, limits.maxArrivingBytes)
    this.#authentication = options.auth && this.#authenticationWith(options.auth)
    this.drainMs = checkedDelay('drainMs', drainMs)
    this.readers = new SlowReaders(limits)
    this.#slots = new ConcurrencyLimit('requests', limits.maxRequestsInFlight, limits.maxRequestsInFlightPerCaller)
    this.#listens = new ConcurrencyLimit('listeners', limits.maxListeners, limits.maxListenersPerCaller)
    const sse = options.sse === true ? {} : options.sse
    this.#sse =
      sse &&
      new SseEndpoint(
        {
          serve: (channel) => service.serve(channel),
          take: this.#take,
          refuse: this.#refuse,
          limits,
          member,
        },
        sse,
      )
    const hasSessions = options.sessions !== false && service.openings.has('handshake')
    this.#member = member
    const parts = { service, slots: this.#slots, refuse: this.#refuse, limits, member }
    this.#sessions = hasSessions ? new SessionEndpoint(parts, options.sessions || {}) : undefined
  }

  /** Answers a request; never throws. */
  handle(request: HttpRequest, reply: HttpReply): void {
    let answering: HttpReply | undefined = reply
    try {
      this.#guard(request)
      answering = this.#cors(request, reply)
      if (!answering) return
      if (!this.#authentication) return this.#route(request, answering)
      this.#authentication.handle(request, answering)
    } catch (error) {
      this.#refuse(error, answering ?? reply)
    }
  }

  /** Answers a request to another path, behind the same guard. */
  handleBeside(request: HttpRequest, reply: HttpReply, answer: (request: HttpRequest, reply: HttpReply) => void): void {
    try {
      this.#guard(request)
      answer(request, reply)
    } catch (error) {
      this.#refuse(error, reply)
    }
  }

  /** Authenticates a connection; rejects when it is refused. */
  async authenticateConnection(request: HttpRequest): Promise<AuthenticatedConnection> {
    this.#guard(request)
    if (this.#closing) throw shuttingDown()
    return this.#authentication ? this.#authentication.authenticateConnection(request) : { sender: {} }
  }

  /** Serves a channel, such as a WebSocket. */
  serveChannel(channel: Channel): void {
    this.#service.serve(channel)
  }

  /** The paths that it serves in addition to its own. */
  get paths(): readonly string[] {
    return [...(this.#sse?.paths ?? []), ...(this.#authentication?.paths ?? [])]
  }

  /** Counts of this endpoint: zero when no client is connected. */
  get live(): { readonly inFlight: number; readonly listens: number; readonly sessions: number } {
    return {
      inFlight: this.#slots.taken,
      listens: this.#listens.taken,
      sessions: (this.#sessions?.size ?? 0) + (this.#sse?.size ?? 0),
    }
  }

  /** Reason why a balancer should send no requests; undefined if it should. */
  get unreadyFor(): string | undefined {
    return this.#closing || this.#isRetiring ? 'shutting down' : this.#member?.trouble
  }

  /** Is no longer ready, so that balancers send requests elsewhere; those that still come are answered. */
  retire(): void {
    this.#isRetiring = true
    void this.#member?.finish()
  }

  /** The requests in flight. */
  get underWay(): readonly Incoming[] {
    return [...this.#underWay, ...this.#service.underWay()]
  }

  /** Refuses new requests, waits `drainMs` for those in flight, then ends all sessions and streams. */
  close(): Promise<void> {
    this.#closing ??= this.#drain()
    return this.#closing
  }

  async #drain(): Promise<void> {
    await settlesWithin(Promise.all([this.#service.finish(), this.#answered(), this.#member?.finish()]), this.drainMs)
    // a store may hang
    await settlesWithin(Promise.all([this.#sessions?.closeAll(), this.#sse?.closeAll()]), this.drainMs)
    if (this.#member) await settlesWithin(this.#member.leave(), this.drainMs)
  }

  async #answered(): Promise<void> {
    // requests that are still being read are not in flight yet
    await this.#bodies.whenRead()
    await Promise.all([this.#slots.whenFree(), this.#listens.whenFree()])
  }

  readonly #take = (principal: string | undefined) => this.#slots.take(principal)

  #authenticationWith(authenticator: Authenticator): HttpAuthentication {
    const route = (request: HttpRequest, reply: HttpReply): void => this.#route(request, reply)
    return new HttpAuthentication(authenticator, { bodies: this.#bodies, errors: this.#service, route })
  }

  #route(request: HttpRequest, reply: HttpReply): void {
    if (this.#closing) throw shuttingDown()
    if (this.#sse?.paths.includes(request.path)) return this.#sse.handle(request, reply, this.#bodies)
    if (request.method === 'POST') return this.#post(request, reply)
    if (request.method === 'GET' && this.#sessions) return this.#sessions.get(request, reply)
    if (request.method === 'DELETE' && this.#sessions) return this.#sessions.delete(request, reply)
    throw methodNotAllowed(this.#sessions ? 'POST, GET, DELETE' : 'POST')
  }

  #post(request: HttpRequest, reply: HttpReply): void {
    if (!isJsonContentType(request.header('content-type'))) {
      throw notJsonContent()
    }
    if (!acceptsBoth(request.header('accept'))) {
      throw new HttpRefusal(406, 'Not acceptable: accept both application/json and text/event-stream')
    }
    readPosted(request, this.#bodies, (reading) => {
      try {
        this.#posted(reading, request, reply)
      } catch (error) {
        this.#refuse(error, reply)
      }
    })
  }

  #posted(reading: Reading | Error, request: HttpRequest, reply: HttpReply): void {
    if (reading instanceof Error) throw reading
    if (isBatch(reading)) return this.#batch(reading, request, reply)
    if (isRequest(reading) && this.#standsAlone(reading, request)) return this.#exchange(reading, request, reply)
    if (!this.#sessions) return this.#sessionless(reading, request, reply)
    if (isRequest(reading) && reading.method === 'initialize') return this.#sessions.open(reading, request, reply)
    this.#sessions.post(reading, request, reply)
  }

  /** True if a request needs no session: it names its own revision, or its header does. */
  #standsAlone({ method, params }: RequestMessage, http: HttpRequest): boolean {
    if (namesOwnRevision(params) || !this.#service.openings.has('handshake')) return true
    if (method === 'initialize' || http.header(sessionHeader) !== undefined) return false
    const revision = http.header(headerNames.version)
    return revision !== undefined && !this.#service.agrees(revision)
  }

  #exchange(message: RequestMessage, http: HttpRequest, reply: HttpReply, revision?: string): void {
    const slots = message.method === 'subscriptions/listen' ? this.#listens : this.#slots
    const finished = slots.take(http.sender.principal)
    new Exchange(message, { http, reply, service: this.#service, revision, finished, underWay: this.#underWay }).run()
  }

  #batch(entries: readonly (Message | RpcError)[], request: HttpRequest, reply: HttpReply): void {
    const bad = entries.find((entry) => entry instanceof RpcError)
    if (bad) throw bad
    const messages = entries as readonly Message[]
    if (
      !this.#sessions ||
      messages.some(
        (message) => 'method' in message && (message.method === 'initialize' || namesOwnRevision(message.params)),
      )
    ) {
      throw noBatches()
    }
    this.#sessions.post(messages, request, reply)
  }

  /** Serves a handshake revision without sessions: no requests to the client, and no state. */
  #sessionless(message: Message, request: HttpRequest, reply: HttpReply): void {
    if (!isRequest(message)) return reply.whole(202, {})
    const revision = request.header(headerNames.version)
    if (revision !== undefined && !this.#service.agrees(revision)) throw notAgreed(revision)
    this.#exchange(message, request, reply, revision ?? '')
  }

  readonly #refuse = (error: unknown, reply: HttpReply): void => {
    if (!replyWithError(error, reply)) this.#service.report(error, 'A request')
  }
}
