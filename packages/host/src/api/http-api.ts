import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { ApiError } from './api-error.ts'
import { EventStreams, type HostEvent } from './events.ts'
import type { Handlers } from './handlers.ts'
import { hostHandlers } from './host-handlers.ts'
import { inboxHandlers, shownQuestion } from './inbox-handlers.ts'
import { ledgerHandlers } from './ledger-handlers.ts'
import { openApiDocument } from './openapi.ts'
import { PageSecrets } from './page-secrets.ts'
import type { ApiParts } from './parts.ts'
import { policyHandlers } from './policy-handlers.ts'
import { type Route, type RouteName, routes } from './routes.ts'
import { serverHandlers } from './server-handlers.ts'

export interface HttpApiOptions {
  /** The secret of the command; pages have secrets of their own. */
  readonly token: string
}

/** The maximum size of a request body. */
const maxBodyBytes = 4 * 1024 ** 2

/** The local API: HTTP and JSON, with a stream of events. */
export class HttpApi {
  readonly events = new EventStreams()
  readonly pages = new PageSecrets()
  readonly #parts: ApiParts
  readonly #handlers: Handlers
  readonly #tokenHash: Buffer

  constructor(parts: ApiParts, { token }: HttpApiOptions) {
    this.#parts = parts
    this.#tokenHash = hashOf(token)
    this.#handlers = {
      ...hostHandlers(parts, this.pages),
      ...serverHandlers(parts),
      ...inboxHandlers(parts),
      ...ledgerHandlers(parts),
      ...policyHandlers(parts),
    }
  }

  /** Serves a request whose path begins with `/api/`. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? '/', 'http://localhost')
      refuseForeign(request)
      if (url.pathname === '/api/openapi.json') return send(response, 200, openApiDocument())
      const found = routeFor(request.method ?? 'GET', url.pathname)
      if (found?.name !== 'session') this.#authenticate(request)
      if (url.pathname === '/api/events') return this.#listen(response)
      if (!found)
        throw new ApiError(404, `There is nothing at ${request.method} ${url.pathname}; see /api/openapi.json`)
      const { name, parameters } = found
      const input = { ...parameters, ...(await inputOf(routes[name], url, request)) }
      const handle = this.#handlers[name] as (given: unknown) => unknown
      send(response, 200, await handle(input))
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 500
      send(response, status, { error: error instanceof Error ? error.message : String(error) })
    }
  }

  #listen(response: ServerResponse): void {
    if (!this.events.hasRoom) throw new ApiError(503, 'Too many listen to events already')
    const open = this.#parts.inbox.open.map((one): HostEvent => ({ event: 'question', question: shownQuestion(one) }))
    this.events.open(response, open)
  }

  #authenticate(request: IncomingMessage): void {
    const [, given = ''] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
    if (timingSafeEqual(hashOf(given), this.#tokenHash) || this.pages.knows(given)) return
    throw new ApiError(401, 'This needs the token of the command, or of a page that "trunkline open" opened')
  }
}

/** A page of another site can send requests here, but not with this Host and Origin. */
function refuseForeign({ headers, socket }: IncomingMessage): void {
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${socket.localPort}`)
  if (!own.includes(headers.host ?? '')) throw new ApiError(403, `"${headers.host}" is not the name of this host`)
  const { origin } = headers
  if (origin !== undefined && !own.some((host) => origin === `http://${host}`)) {
    throw new ApiError(403, 'Pages of other sites may not use this API')
  }
}

function routeFor(method: string, path: string): { name: RouteName; parameters: Record<string, string> } | undefined {
  for (const [name, route] of Object.entries(routes)) {
    const parameters = route.method === method ? match(route.path, path) : undefined
    if (parameters) return { name: name as RouteName, parameters }
  }
  return undefined
}

function match(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const [, name] = /^\{(.+)\}$/.exec(part) ?? []
    const value = given[index] ?? ''
    if (name === undefined && part !== value) return undefined
    if (name !== undefined) parameters[name] = decoded(value)
  }
  return parameters
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new ApiError(400, `"${text}" is not encoded as addresses are`)
  }
}

async function inputOf(route: Route, url: URL, request: IncomingMessage): Promise<object> {
  const query = route.query && checked(route.query, Object.fromEntries(url.searchParams), 'query')
  const body = route.body && checked(route.body, await bodyOf(request), 'body')
  return { ...query, ...body }
}

function checked(schema: z.ZodType, value: unknown, part: string): object {
  const { success, data, error } = schema.safeParse(value)
  if (!success) throw new ApiError(400, `The ${part} is not as expected: ${z.prettifyError(error)}`)
  return data as object
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const type = request.headers['content-type'] ?? ''
  // a form of another page cannot send this type
  if (!/^application\/json\b/i.test(type)) throw new ApiError(415, 'The body must be application/json')
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request) {
    bytes += piece.length
    if (bytes > maxBodyBytes) throw new ApiError(413, `The body is larger than ${maxBodyBytes} bytes`)
    pieces.push(piece)
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'))
  } catch (error) {
    throw new ApiError(400, `The body is not JSON: ${(error as Error).message}`)
  }
}

function send(response: ServerResponse, status: number, value: unknown): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  response.writeHead(status, headers).end(JSON.stringify(value))
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
