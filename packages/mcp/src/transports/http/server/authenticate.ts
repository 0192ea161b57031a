import type {
  AuthenticatedCaller,
  Authentication,
  Authenticator,
  AuthRefusal,
} from '../../../auth/resource/authenticator.ts'
import type { Sender } from '../../../rpc/channel.ts'
import type { Headers } from '../headers.ts'
import { jsonHeaders } from '../headers.ts'
import type { BodyLimits } from './body-limits.ts'
import { endAtExpiry } from './end-at-expiry.ts'
import { replyWithError } from './error-reply.ts'
import { HttpRefusal, methodNotAllowed } from './refusals.ts'
import type { EventSink, HttpReply, HttpRequest } from './request-reply.ts'

/** An authenticated WebSocket connection. */
export interface AuthenticatedConnection {
  readonly sender: Sender
  /** Expiry of the authorization, as in `Date.now()`. @default never */
  readonly expiresAt?: number | undefined
}

interface ErrorReporter {
  /** Logs an internal error. */
  report(error: unknown, what: string): void
}

/** The parts of its endpoint that authentication needs. */
export interface AuthenticationParts {
  readonly bodies: BodyLimits
  readonly errors: ErrorReporter
  /** Serves a request of an authenticated caller. */
  route(request: HttpRequest, reply: HttpReply): void
}

/** Authenticates requests and connections with an {@link Authenticator}. */
export class HttpAuthentication {
  readonly #authenticator: Authenticator
  readonly #parts: AuthenticationParts

  constructor(authenticator: Authenticator, parts: AuthenticationParts) {
    this.#authenticator = authenticator
    this.#parts = parts
  }

  /** The paths of the authenticator's metadata. */
  get paths(): readonly string[] {
    return [...this.#authenticator.documents.keys()]
  }

  /** Authenticates a request and serves it; refuses it, or throws a refusal. */
  handle(request: HttpRequest, reply: HttpReply): void {
    const document = this.#authenticator.documents.get(request.path)
    if (document !== undefined) return publish(document, request, reply)
    const found = this.#authenticate(request)
    if (!('then' in found)) return this.#serve(found, request, reply)
    // buffered within limits while the caller is authenticated
    request.bufferBody?.(this.#parts.bodies)
    found
      .then((caller) => this.#serve(caller, request, reply))
      .catch((error: unknown) => {
        if (!replyWithError(error, reply)) this.#parts.errors.report(error, 'A request')
      })
  }

  /** Authenticates a connection; rejects when it is refused. */
  async authenticateConnection(request: HttpRequest): Promise<AuthenticatedConnection> {
    const { principal, scopes, claims, expiresAt } = admitted(await this.#authenticate(request))
    return { sender: { principal, scopes, claims }, expiresAt }
  }

  #authenticate(request: HttpRequest): Authentication | Promise<Authentication> {
    try {
      const found = this.#authenticator.authenticate(request)
      return 'then' in found ? found.then(given).catch(this.#cannotTell) : found
    } catch (error) {
      return this.#cannotTell(error)
    }
  }

  readonly #cannotTell = (error: unknown): AuthRefusal => {
    this.#parts.errors.report(error, 'Authorization')
    return { status: 503, message: 'Cannot authenticate the request', headers: { 'retry-after': '5' } }
  }

  #serve(found: Authentication, request: HttpRequest, reply: HttpReply): void {
    const caller = admitted(found)
    const answering = new AuthenticatedReply(reply, caller)
    const { expiresAt } = caller
    // the stream of a call ends with the call, but a listen stream must end at expiry
    const isEndless = request.method === 'GET' && expiresAt !== undefined
    const sender = senderOf(caller, request, answering)
    this.#parts.route(
      new AuthenticatedRequest(request, sender),
      isEndless ? endAtExpiry(answering, expiresAt) : answering,
    )
  }
}

function given(found: Authentication): Authentication {
  // JavaScript may forget to return it
  if (typeof found !== 'object' || found === null) throw new TypeError('The authenticator returned nothing')
  return found
}

function admitted(found: Authentication): AuthenticatedCaller {
  if ('status' in found) throw new HttpRefusal(found.status, found.message, found.headers)
  return found
}

function publish(document: string, { method }: HttpRequest, reply: HttpReply): void {
  if (method !== 'GET') throw methodNotAllowed('GET')
  reply.whole(200, { ...jsonHeaders, 'cache-control': 'max-age=300' }, document)
}

/** The sender that handlers see: without the caller's credentials. */
function senderOf(caller: AuthenticatedCaller, request: HttpRequest, reply: AuthenticatedReply): Sender {
  const { principal, scopes, claims, expiresAt } = caller
  const headers = {
    get: (name: string) => (shown.has(name.toLowerCase()) ? null : (request.header(name.toLowerCase()) ?? null)),
  }
  return { principal, scopes, claims, expiresAt, headers, demandScopes: (needed) => reply.demandScopes(needed) }
}

const shown: ReadonlySet<string> = new Set(['authorization', 'dpop'])

/** A request of an authenticated caller. */
class AuthenticatedRequest implements HttpRequest {
  readonly #request: HttpRequest
  readonly sender: Sender

  constructor(request: HttpRequest, sender: Sender) {
    this.#request = request
    this.sender = sender
  }

  get method(): string {
    return this.#request.method
  }

  get path(): string {
    return this.#request.path
  }

  get parsed(): unknown {
    return this.#request.parsed
  }

  query(name: string): string | undefined {
    return this.#request.query(name)
  }

  header(name: string): string | undefined {
    return this.#request.header(name)
  }

  text(bodies: BodyLimits, done: (text: string | Error) => void): void {
    this.#request.text(bodies, done)
  }
}

/** A reply that becomes a challenge when scopes are missing. */
class AuthenticatedReply implements HttpReply {
  readonly #reply: HttpReply
  readonly #caller: AuthenticatedCaller
  #needed: readonly string[] | undefined

  constructor(reply: HttpReply, caller: AuthenticatedCaller) {
    this.#reply = reply
    this.#caller = caller
  }

  demandScopes(scopes: readonly string[]): void {
    this.#needed = scopes
  }

  whole(status: number, headers: Headers, body?: string): void {
    // some requests of a batch may have been served, and a challenge would repeat all of them
    if (!this.#needed || body?.startsWith('[')) return this.#reply.whole(status, this.#withMore(headers), body)
    const challenge = this.#caller.challengeFor(this.#needed)
    this.#reply.whole(challenge.status, { ...this.#withMore(headers), ...challenge.headers }, body)
  }

  stream(headers: Headers): EventSink {
    return this.#reply.stream(this.#withMore(headers))
  }

  // the usual headers are recognised by identity further down, so they are copied only when there are more
  #withMore(headers: Headers): Headers {
    const more = this.#caller.headers
    return Object.keys(more).length > 0 ? { ...headers, ...more } : headers
  }

  onGone(listener: () => void): void {
    this.#reply.onGone(listener)
  }

  onLeft(listener: () => void): void {
    this.#reply.onLeft(listener)
  }
}
