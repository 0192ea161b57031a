import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { projectNamed } from '../gateway/line-socket.ts'
import { ownHosts } from '../gateway/own-addresses.ts'
import { bearerOf, isSameSecret } from '../principals/same-secret.ts'
import { activityHandlers } from './activity-handlers.ts'
import { addHandlers } from './add-handlers.ts'
import { ApiError } from './api-error.ts'
import { chatHandlers } from './chat-handlers.ts'
import { connectHandlers } from './connect-handlers.ts'
import { EventStreams, type HostEvent } from './events.ts'
import type { Handlers, RouteContext } from './handlers.ts'
import { hostHandlers } from './host-handlers.ts'
import { importHandlers } from './import-handlers.ts'
import { inboxHandlers, shownQuestion } from './inbox-handlers.ts'
import { ledgerHandlers } from './ledger-handlers.ts'
import { lockHandlers } from './lock-handlers.ts'
import { openApiDocument } from './openapi.ts'
import { PageSecrets } from './page-secrets.ts'
import type { ApiParts } from './parts.ts'
import { policyChangeHandlers } from './policy-change-handlers.ts'
import { policyFileHandlers } from './policy-file-handlers.ts'
import { policyHandlers } from './policy-handlers.ts'
import { readBody } from './read-body.ts'
import type { Route } from './route.ts'
import { type RouteName, routes } from './routes.ts'
import { runHandlers } from './run-handlers.ts'
import { serverHandlers } from './server-handlers.ts'
import { signInHandlers } from './sign-in-handlers.ts'
import { taintHandlers } from './taint-handlers.ts'
import { taskHandlers } from './task-handlers.ts'

export interface HttpApiOptions {
  /** The secret of the command; pages have secrets of their own. */
  readonly token: string
}

/** A page cannot let in other pages or programs. */
const commandOnly: ReadonlySet<RouteName> = new Set<RouteName>(['code', 'acceptCodes', 'addClient'])

/** The local API: HTTP and JSON, with a stream of events. */
export class HttpApi {
  readonly events = new EventStreams()
  readonly pages: PageSecrets
  readonly #parts: ApiParts
  readonly #handlers: Handlers
  readonly #token: string

  constructor(parts: ApiParts, { token }: HttpApiOptions) {
    this.#parts = parts
    this.pages = new PageSecrets(parts.store)
    this.#token = token
    const tell = (event: HostEvent): void => this.events.tell(event)
    this.#handlers = {
      ...hostHandlers(parts, this.pages),
      ...serverHandlers(parts),
      ...signInHandlers(parts),
      ...addHandlers(parts),
      ...importHandlers(parts),
      ...connectHandlers(parts),
      ...inboxHandlers(parts),
      ...activityHandlers(parts),
      ...ledgerHandlers(parts),
      ...lockHandlers(parts),
      ...policyHandlers(parts),
      ...taintHandlers(parts),
      ...policyChangeHandlers(parts),
      ...policyFileHandlers(parts),
      ...runHandlers(parts, tell),
      ...taskHandlers(parts, tell),
      ...chatHandlers(parts),
    }
  }

  /** Serves a request whose path begins with `/api/`. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? '/', 'http://localhost')
      refuseForeign(request)
      if (url.pathname === '/api/openapi.json') return send(response, 200, openApiDocument())
      const found = routeFor(request.method ?? 'GET', url.pathname)
      const isPage = found?.name !== 'session' && this.#authenticate(request)
      if (url.pathname === '/api/events') return this.#listen(response, isPage)
      if (!found)
        throw new ApiError(404, `There is nothing at ${request.method} ${url.pathname}; see /api/openapi.json`)
      await this.#openProject(request)
      const { name, parameters } = found
      if (isPage && commandOnly.has(name)) throw new ApiError(403, 'This is for the command, not for pages')
      const input = { ...parameters, ...(await inputOf(routes[name], url, request)) }
      const handle = this.#handlers[name] as (given: unknown, context: RouteContext) => unknown
      const left = new AbortController()
      response.once('close', () => left.abort(new ApiError(499, 'Whoever asked is gone')))
      send(response, 200, await handle(input, { signal: left.signal, isPage }))
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 500
      send(response, status, { error: error instanceof Error ? error.message : String(error) })
    }
  }

  /** What a person asks about in a directory may be what is configured there. */
  async #openProject({ headers }: IncomingMessage): Promise<void> {
    const project = projectNamed(headers)
    // a directory that is none has nothing to offer, and that is said where it matters
    if (project !== undefined) await this.#parts.openProject(project).catch(() => {})
  }

  #listen(response: ServerResponse, isPage: boolean): void {
    if (!this.events.hasRoom) throw new ApiError(503, 'Too many listen to events already')
    const open = this.#parts.inbox.open.map((one): HostEvent => ({ event: 'question', question: shownQuestion(one) }))
    this.events.open(response, open)
    // what passes over the wire is kept for people who look
    if (isPage) response.once('close', this.#parts.wire.log.watch())
  }

  /** Refuses who is nobody; tells whether it is a page. */
  #authenticate(request: IncomingMessage): boolean {
    const given = bearerOf(request.headers.authorization)
    if (isSameSecret(given, this.#token)) return false
    if (this.pages.knows(given)) return true
    throw new ApiError(401, 'This needs the token of the command, or of a page that "trunkline open" opened')
  }
}

/** A page of another site can send requests here, but not with this Host and Origin. */
function refuseForeign(request: IncomingMessage): void {
  const { headers } = request
  const own = ownHosts(request)
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
  const body = route.body && checked(route.body, await readBody(request), 'body')
  return { ...query, ...body }
}

function checked(schema: z.ZodType, value: unknown, part: string): object {
  const { success, data, error } = schema.safeParse(value)
  if (!success) throw new ApiError(400, `The ${part} is not as expected: ${z.prettifyError(error)}`)
  return data as object
}

function send(response: ServerResponse, status: number, value: unknown): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  response.writeHead(status, headers).end(JSON.stringify(value))
}
