import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Fields } from '@trunkline/mcp'
import { projectNamed } from '../gateway/line-socket.ts'
import { ownAddresses } from '../gateway/own-addresses.ts'
import { bearerOf, isSameSecret } from '../gateway/principals/same-secret.ts'
import { seeProcess } from '../gateway/processes/process-table.ts'
import { type AcceptedSocket, processesAt } from '../gateway/processes/socket-processes.ts'
import { noteAuthenticated } from '../gateway/unauthenticated.ts'
import type { TerminalProcess } from '../inbox/proof/tickets.ts'
import { UpstreamError } from '../servers/upstream-error.ts'
import { ApiError } from './api-error.ts'
import { EventStreams, type HostEvent } from './events.ts'
import { PageLogins } from './page-logins.ts'
import { requirePerson, requireTerminal } from './require-person.ts'
import { ProofWanted, requireProof } from './require-proof.ts'
import type { RouteContext } from './route.ts'
import type { RouteHandlers } from './route-handlers.ts'
import type { RouteName } from './routes.ts'
import type { ApiServices } from './services.ts'
import { shownQuestion } from './shown-question.ts'

export interface HttpApiOptions {
  /** The secret of the command; pages have secrets of their own. */
  readonly token: string
}

/** A page cannot let in other pages or programs. */
const commandOnly: ReadonlySet<RouteName> = new Set<RouteName>([
  'code',
  'acceptCodes',
  'addClient',
  'enterPin',
  'setPin',
])

/** The local API: HTTP and JSON, with a stream of events. */
export class HttpApi {
  readonly events = new EventStreams()
  readonly pages: PageLogins
  readonly #services: ApiServices
  readonly #token: string
  #routes: Promise<RouteHandlers> | undefined

  constructor(services: ApiServices, { token }: HttpApiOptions) {
    this.#services = services
    this.pages = new PageLogins(services.host.store)
    this.#token = token
  }

  /** Serves a request whose path begins with `/api/`. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? '/', 'http://localhost')
      refuseForeign(request)
      await this.#refuseServers(request)
      if (url.pathname === '/api/events') return this.#listen(response, this.#authenticate(request))
      await this.#serveRoute(url, request, response)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      send(response, statusOf(error), { error: message, ...(error instanceof ProofWanted && { proof: error.proof }) })
    }
  }

  /** A server that reads the token of the command could otherwise add another one, and accept it. */
  async #refuseServers({ socket }: IncomingMessage): Promise<void> {
    if (await this.#services.host.connections.isServerAt(socket)) {
      throw new ApiError(403, 'Servers of this host, and what they start, may not use its API')
    }
  }

  async #serveRoute(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const routes = await this.#loadRoutes()
    if (url.pathname === '/api/openapi.json') return send(response, 200, routes.openApiDocument())
    const found = routes.find(request.method ?? 'GET', url.pathname)
    const isPage = found?.name !== 'session' && this.#authenticate(request)
    if (found?.name !== 'session') noteAuthenticated(request.socket)
    if (!found) throw new ApiError(404, `There is nothing at ${request.method} ${url.pathname}; see /api/openapi.json`)
    const directory = await this.#openProject(request)
    if (isPage && commandOnly.has(found.name)) throw new ApiError(403, 'This is for the command, not for pages')
    const input = await routes.inputOf(found, url, request)
    const left = new AbortController()
    response.once('close', () => left.abort(new ApiError(499, 'The client disconnected')))
    const { connections } = this.#services.host
    const { socket, headers } = request
    const terminal = () => terminalAt(socket)
    const context: RouteContext = { signal: left.signal, isPage, directory, terminal, socket, connections, headers }
    if (found.needs !== 'nothing') await requirePerson(context)
    if (found.needs === 'terminal') await requireTerminal(context)
    const isProven = await requireProof(this.#services, { ...found, input: input as Fields, context })
    send(response, 200, await routes.handle(found, input, { ...context, isProven }))
  }

  /** Loads the routes on the first request: with their schemas they take 16 MB, which a host without a console saves. */
  #loadRoutes(): Promise<RouteHandlers> {
    const { pages } = this
    const tell = (event: HostEvent): void => this.events.tell(event)
    this.#routes ??= import('./route-handlers.ts').then(
      (made) => new made.RouteHandlers(this.#services, { pages, tell }),
    )
    return this.#routes
  }

  /** Serves the directory that a request is made in, since a person may ask about its configuration. */
  async #openProject({ headers }: IncomingMessage): Promise<string | undefined> {
    const directory = projectNamed(headers)
    if (directory === undefined) return undefined
    // an unknown directory has nothing to offer, which is reported where it matters
    return this.#services.host.projects.open(directory).then(
      () => directory,
      () => undefined,
    )
  }

  #listen(response: ServerResponse, isPage: boolean): void {
    if (!this.events.hasRoom) throw new ApiError(503, 'Too many listen to events already')
    const { inbox } = this.#services.host
    const open = inbox.open.map((one): HostEvent => ({ event: 'question', question: shownQuestion(one, inbox) }))
    noteAuthenticated(response.req.socket)
    this.events.open(response, open)
    // messages on the wire are kept while a page watches
    if (isPage) response.once('close', this.#services.host.wire.log.watch())
  }

  /** Refuses unauthenticated requests; true if a page asks. */
  #authenticate(request: IncomingMessage): boolean {
    const given = bearerOf(request.headers.authorization)
    if (isSameSecret(given, this.#token)) return false
    if (this.pages.knows(given)) return true
    throw new ApiError(401, 'Not signed in: run "trunkline open"')
  }
}

/** A server that fails is not a failure of the host. */
function statusOf(error: unknown): number {
  if (error instanceof ApiError) return error.status
  return error instanceof UpstreamError ? 502 : 500
}

/** A page of another site can send requests here, but not with this Host and Origin. */
function refuseForeign(request: IncomingMessage): void {
  const { headers } = request
  const own = ownAddresses(request)
  if (!own.includes(headers.host ?? '')) throw new ApiError(403, `"${headers.host}" is not the name of this host`)
  const { origin } = headers
  if (origin !== undefined && !own.some((host) => origin === `http://${host}`)) {
    throw new ApiError(403, 'Pages of other sites may not use this API')
  }
}

function send(response: ServerResponse, status: number, value: unknown): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  response.writeHead(status, headers).end(JSON.stringify(value))
}

/**
 * The only process at the other end of a connection, and the terminal it runs in; undefined if it has no terminal, shares
 * the connection with another one, or cannot be seen.
 */
async function terminalAt(socket: AcceptedSocket): Promise<TerminalProcess | undefined> {
  const found = await processesAt(socket)
  const [pid, ...others] = found.is === 'seen' ? found.pids : []
  if (pid === undefined || others.length > 0) return undefined
  const seen = await seeProcess(pid)
  if (!seen || seen.terminal === '') return undefined
  const { startedAt, terminal, session } = seen
  return { pid, startedAt, terminal, session }
}
