import type { AuthenticatedCaller, Authenticator } from '../../../auth/resource/authenticator.ts'
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
  /** When the authorization expires, as in `Date.now()`. @default never */
  readonly expiresAt?: number | undefined
}

interface ErrorReporter {
  /** Logs an internal error. */
  report(error: unknown, what: string): void
}

/** Authenticates requests and connections with an {@link Authenticator}. */
export class HttpAuthentication {
  readonly #authenticator: Authenticator
  readonly #errors: ErrorReporter

  constructor(authenticator: Authenticator, errors: ErrorReporter) {
    this.#authenticator = authenticator
    this.#errors = errors
  }

  /** The paths of the authenticator's metadata. */
  get paths(): readonly string[] {
    return [...this.#authenticator.documents.keys()]
  }

  /** Authenticates a request and passes it to `route`, or refuses it. */
  handle(request: HttpRequest, reply: HttpReply, route: (request: HttpRequest, reply: HttpReply) => void): void {
    const document = this.#authenticator.documents.get(request.path)
    if (document !== undefined) return publish(document, request, reply)
    this.#caller(request)
      .then((caller) => {
        const answering = new AuthenticatedReply(reply, caller)
        const { expiresAt } = caller
        // the stream of a call ends with the call, but a listen stream must end at expiry
        const isEndless = request.method === 'GET' && expiresAt !== undefined
        const sender = senderOf(caller, request, answering)
        route(new AuthenticatedRequest(request, sender), isEndless ? endAtExpiry(answering, expiresAt) : answering)
      })
      .catch((error: unknown) => {
        if (!replyWithError(error, reply)) this.#errors.report(error, 'A request')
      })
  }

  /** Authenticates a connection; rejects when it is refused. */
  async authenticateConnection(request: HttpRequest): Promise<AuthenticatedConnection> {
    const { principal, scopes, claims, expiresAt } = await this.#caller(request)
    return { sender: { principal, scopes, claims }, expiresAt }
  }

  async #caller(request: HttpRequest): Promise<AuthenticatedCaller> {
    let refusal: HttpRefusal
    try {
      const found = await this.#authenticator.authenticate(request)
      if (!('status' in found)) return found
      refusal = new HttpRefusal(found.status, found.message, found.headers)
    } catch (error) {
      this.#errors.report(error, 'Authorization')
      refusal = new HttpRefusal(503, 'Cannot authenticate the request', { 'retry-after': '5' })
    }
    throw refusal
  }
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
    const more = this.#caller.headers
    // some requests of a batch may have been served, and a challenge would repeat all of them
    if (!this.#needed || body?.startsWith('[')) return this.#reply.whole(status, { ...headers, ...more }, body)
    const challenge = this.#caller.challengeFor(this.#needed)
    this.#reply.whole(challenge.status, { ...headers, ...more, ...challenge.headers }, body)
  }

  stream(headers: Headers): EventSink {
    return this.#reply.stream({ ...headers, ...this.#caller.headers })
  }

  onGone(listener: () => void): void {
    this.#reply.onGone(listener)
  }

  onLeft(listener: () => void): void {
    this.#reply.onLeft(listener)
  }
}
