import type { Gate, Guest } from '../../../auth/resource/authenticator.ts'
import type { Origin } from '../../../rpc/channel.ts'
import { jsonHeaders } from '../headers.ts'
import type { Bodies } from './body-limits.ts'
import { expiring } from './end-at-expiry.ts'
import { refuse } from './error-reply.ts'
import { type EventSink, type Headers, HttpRefusal, type HttpReply, type HttpRequest } from './request-reply.ts'

/** What is known of who opens a connection; its headers are not those of the messages that it will carry. */
export interface Admission {
  readonly origin: Origin
  /** When the connection has to end, as in `Date.now()`. @default never */
  readonly expiresAt?: number | undefined
}

interface Notebook {
  /** Takes note of an error that nobody outside should know more about. */
  report(error: unknown, what: string): void
}

/** The way in through a gate: who may come in is known by then to all that follows. */
export class Entrance {
  readonly #gate: Gate
  readonly #notebook: Notebook

  constructor(gate: Gate, notebook: Notebook) {
    this.#gate = gate
    this.#notebook = notebook
  }

  /** Where the gate tells everybody what it wants to see. */
  get paths(): readonly string[] {
    return [...this.#gate.documents.keys()]
  }

  /** Lets a request go on to `route`, or answers it. */
  pass(request: HttpRequest, reply: HttpReply, route: (request: HttpRequest, reply: HttpReply) => void): void {
    const document = this.#gate.documents.get(request.path)
    if (document !== undefined) return publish(document, request, reply)
    this.#guest(request)
      .then((guest) => {
        const answering = new GuestReply(reply, guest)
        const { expiresAt } = guest
        // a stream about one call ends with that call, but one for whatever may come has no end of its own
        const isEndless = request.method === 'GET' && expiresAt !== undefined
        const origin = originOf(guest, request, answering)
        route(new GuestRequest(request, origin), isEndless ? expiring(answering, expiresAt) : answering)
      })
      .catch((error: unknown) => {
        if (!refuse(error, reply)) this.#notebook.report(error, 'A request')
      })
  }

  /** Finds out who opens a connection; rejects when they must not come in. */
  async admit(request: HttpRequest): Promise<Admission> {
    const { principal, scopes, claims, expiresAt } = await this.#guest(request)
    return { origin: { principal, scopes, claims }, expiresAt }
  }

  async #guest(request: HttpRequest): Promise<Guest> {
    let refusal: HttpRefusal
    try {
      const found = await this.#gate.admit(request)
      if (!('status' in found)) return found
      refusal = new HttpRefusal(found.status, found.message, found.headers)
    } catch (error) {
      this.#notebook.report(error, 'Authorization')
      refusal = new HttpRefusal(503, 'Cannot find out who is calling', { 'retry-after': '5' })
    }
    throw refusal
  }
}

function publish(document: string, { method }: HttpRequest, reply: HttpReply): void {
  if (method !== 'GET') throw new HttpRefusal(405, 'Method not allowed', { allow: 'GET' })
  reply.whole(200, { ...jsonHeaders, 'cache-control': 'max-age=300' }, document)
}

/** What handlers and interceptors may know of a guest: not what it showed to come in, for that is nobody else's. */
function originOf(guest: Guest, request: HttpRequest, reply: GuestReply): Origin {
  const { principal, scopes, claims, expiresAt } = guest
  const headers = {
    get: (name: string) => (shown.has(name.toLowerCase()) ? null : (request.header(name.toLowerCase()) ?? null)),
  }
  return { principal, scopes, claims, expiresAt, headers, demand: (needed) => reply.demand(needed) }
}

const shown: ReadonlySet<string> = new Set(['authorization', 'dpop'])

/** A request of which it is known who sent it. */
class GuestRequest implements HttpRequest {
  readonly #request: HttpRequest
  readonly origin: Origin

  constructor(request: HttpRequest, origin: Origin) {
    this.#request = request
    this.origin = origin
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

  text(bodies: Bodies, done: (text: string | Error) => void): void {
    this.#request.text(bodies, done)
  }
}

/** An answer to a guest, which turns into a challenge when scopes are found to be missing. */
class GuestReply implements HttpReply {
  readonly #reply: HttpReply
  readonly #guest: Guest
  #needed: readonly string[] | undefined

  constructor(reply: HttpReply, guest: Guest) {
    this.#reply = reply
    this.#guest = guest
  }

  demand(scopes: readonly string[]): void {
    this.#needed = scopes
  }

  whole(status: number, headers: Headers, body?: string): void {
    const more = this.#guest.headers
    // of several requests in one, some may have been served: a challenge would have all of them repeated
    if (!this.#needed || body?.startsWith('[')) return this.#reply.whole(status, { ...headers, ...more }, body)
    const challenge = this.#guest.demand(this.#needed)
    this.#reply.whole(challenge.status, { ...headers, ...more, ...challenge.headers }, body)
  }

  stream(headers: Headers): EventSink {
    return this.#reply.stream({ ...headers, ...this.#guest.headers })
  }

  onGone(listener: () => void): void {
    this.#reply.onGone(listener)
  }
}
