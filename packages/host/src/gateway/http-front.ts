import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createNetServer, type Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { endIdleSockets } from '@trunkline/base/idle-sockets'
import { type NodeListener, toNode } from '@trunkline/mcp/node'
import type { Relay } from '@trunkline/mcp/relay'
import type { Principal } from '../act/act.ts'
import { lineHeaders } from './bridge/line-protocol.ts'
import { claimsOf, type LineParts, projectIn, projectNamed, serveUpgraded } from './line-socket.ts'
import { LiveConnections } from './live-connections.ts'
import { bearerOf } from './principals/same-secret.ts'
import { portHolder } from './processes/port-holder.ts'
import { noteAuthenticated, UnauthenticatedConnections } from './unauthenticated.ts'
import type { Wire } from './wire/wire.ts'

// not imported: that would load the WebSocket client of Node too, at every start
const { createServer } = process.getBuiltinModule('node:http')

export interface HttpFrontOptions extends LineParts {
  /** @default 0, which takes a free one */
  readonly port?: number
  /** The address to listen on. @default 127.0.0.1 */
  readonly host?: string
  /** The principal of a token. */
  byToken(token: string): Principal | undefined
  /** Calls back when a token was ended, until the returned function is called. @default none ever is */
  onEnded?(listener: () => void): () => void
  /** Answers requests that are not below `/mcp`; false when it does not. @default nothing does */
  other?(request: IncomingMessage, response: ServerResponse): boolean
  /** Admits every request as this principal, for tests and benchmarks on loopback. */
  readonly everybody?: Principal
  /** The addresses that are offered, for a caller that asked for another one. @default they are not told */
  addresses?(): readonly string[]
  /** Keeps the requests of callers while they are watched. @default never */
  readonly wire?: Wire
  /** Addresses that are served; each is opened when it is first asked for. @default 1_000 */
  readonly maxEndpoints?: number
  /** Connections at the same time, those of lines included; one more is dropped. @default 10_000 */
  readonly maxConnections?: number
  /** Milliseconds that the headers of a request may take; the whole of it may take twice as long. @default 15_000 */
  readonly headersTimeoutMs?: number
  /** Milliseconds after which an unused connection is ended. @default 5_000 */
  readonly unusedMs?: number
}

export interface HttpFront {
  /** The address of the aggregate. */
  readonly url: string
  /** Milliseconds since the last request; 0 while a connection is open. */
  readonly idleMs: number
  /** The origin with the name `localhost`, where that leads to this host and to no other program. */
  readonly localhost: string | undefined
  close(): Promise<void>
}

/** A caller may send as much at once as servers and `trunkline stdio` take, and listen in each of its windows. */
const limits = { maxMessageBytes: 16 * 1024 ** 2, maxListenersPerCaller: 256 }
const defaults = {
  maxEndpoints: 1_000,
  maxConnections: 10_000,
  headersTimeoutMs: 15_000,
  unusedMs: 5_000,
} as const satisfies Partial<HttpFrontOptions>
const workingInHeader = 'trunkline-working-in'
const howToConnect = 'Connect this client with "trunkline install", or give it a token of "trunkline clients add"'

/** Serves the gateway over HTTP: on loopback, with a token, and to no foreign Host or Origin. */
export async function listenFront(options: HttpFrontOptions): Promise<HttpFront> {
  const { port = 0, host = '127.0.0.1' } = options
  const endpoints = new Map<string, NodeListener>()
  const live = new LiveConnections()
  const stopHearing = options.onEnded?.(() => live.review())
  let usedAt = Date.now()
  const http = createServer(patience(options), (request, response) => {
    usedAt = Date.now()
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    const endpoint = endpoints.get(path) ?? openEndpoint(path, endpoints, options)
    if (endpoint) admit(endpoint, request, response)
    else if (!options.other?.(request, response)) {
      void late(path, request, response).catch((error: unknown) => refuse(request, response, 400, messageOf(error)))
    }
  })
  const { wire } = options
  const answer = (endpoint: Answering, request: IncomingMessage, response: ServerResponse): void => {
    if (principalOf(request.headers.authorization, options)) noteAuthenticated(request.socket)
    live.add(response, () => principalOf(request.headers.authorization, options) !== undefined)
    noteProjects(request, options.connections?.projectsAt(request.socket))
    if (wire?.log.isOpen) wire.callers.during(request, response, () => endpoint(request, response))
    else endpoint(request, response)
  }
  /** Remembers the calling process before anything is called; after the first request of a connection that takes no time. */
  const admit = (endpoint: Answering, request: IncomingMessage, response: ServerResponse): void => {
    const { connections } = options
    const { socket, headers } = request
    const { authorization = '' } = headers
    if (!connections || connections.isNoted(socket, authorization)) return answer(endpoint, request, response)
    const principal = principalOf(authorization, options)
    if (!principal) return answer(endpoint, request, response)
    void connections.note(socket, authorization, principal).then(
      (isThere) => (isThere ? answer(endpoint, request, response) : socket.destroy()),
      (error: unknown) => refuse(request, response, 500, messageOf(error)),
    )
  }
  /** An address may be one that is only known when the configuration was read. */
  const late = async (path: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // only an authenticated caller may have its directory read
    await options.ready?.(principalOf(request.headers.authorization, options) && projectNamed(request.headers))
    const endpoint = openEndpoint(path, endpoints, options)
    if (endpoint) admit(endpoint, request, response)
    else refuse(request, response, 404, notFound(path, request, options))
  }
  endIdleSockets(http)
  http.maxConnections = options.maxConnections ?? defaults.maxConnections
  let connections = 0
  const unauthenticated = new UnauthenticatedConnections()
  http.on('connection', (socket) => {
    connections += 1
    unauthenticated.add(socket)
    socket.once('close', () => {
      connections -= 1
      usedAt = Date.now()
    })
  })
  const upgraded = new Set<Duplex>()
  http.on('upgrade', (request, socket) => {
    upgraded.add(socket)
    socket.once('close', () => upgraded.delete(socket))
    void serveUpgraded(request, socket, { ...options, live })
  })
  await new Promise<void>((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => void explained(error, host, port).then(reject))
    http.listen(port, host, resolve)
  })
  const { port: taken } = http.address() as AddressInfo
  const beside = host === '127.0.0.1' ? await listenBeside(http, taken) : undefined
  return {
    url: `http://${host}:${taken}/mcp`,
    get idleMs() {
      return connections > 0 ? 0 : Date.now() - usedAt
    },
    localhost: beside && `http://localhost:${taken}`,
    close: () => {
      stopHearing?.()
      beside?.close()
      return closeFront(http, endpoints, upgraded)
    },
  }
}

/**
 * Takes the same port of `::1`, which browsers try first for `localhost`: another program there would be taken for this
 * host. Undefined where another one has it.
 */
function listenBeside(http: Server, port: number): Promise<Pick<NetServer, 'close'> | undefined> {
  return new Promise((resolve) => {
    const beside = createNetServer({ noDelay: true }, (socket) => http.emit('connection', socket))
    beside.maxConnections = http.maxConnections
    beside.once('error', ({ code }: NodeJS.ErrnoException) => {
      // a machine without IPv6 has no other end that the name could lead to
      const isMissing = code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT'
      resolve(isMissing ? { close: () => beside } : undefined)
    })
    beside.listen({ port, host: '::1', ipv6Only: true }, () => resolve(beside))
  })
}

/** Time limits for the arrival of a request; the answer is not limited here. */
function patience(options: HttpFrontOptions): ServerOptions {
  const { headersTimeoutMs = defaults.headersTimeoutMs, unusedMs = defaults.unusedMs } = options
  return {
    keepAliveTimeout: unusedMs,
    headersTimeout: headersTimeoutMs,
    requestTimeout: 2 * headersTimeoutMs,
    connectionsCheckingInterval: Math.min(headersTimeoutMs, 1_000),
  }
}

type Answering = (request: IncomingMessage, response: ServerResponse) => void

function openEndpoint(
  path: string,
  endpoints: Map<string, NodeListener>,
  options: HttpFrontOptions,
): Answering | undefined {
  if (path !== '/mcp' && !path.startsWith('/mcp/')) return undefined
  const relay = opened(() => options.front(path))
  if (relay === undefined || relay instanceof Error) return relay && full(relay.message)
  const { maxEndpoints = defaults.maxEndpoints } = options
  if (endpoints.size >= maxEndpoints) return full(`This host serves ${maxEndpoints} addresses already; restart it`)
  const endpoint = toNode(relay, { auth: authenticator(options), limits, sessions: { replaceUnused: true } })
  endpoints.set(path, endpoint)
  return endpoint
}

function opened(open: () => Relay | undefined): Relay | Error | undefined {
  try {
    return open()
  } catch (error) {
    return error as Error
  }
}

/** Answers for an address that is one too many. */
function full(text: string): Answering {
  return (request, response) => refuse(request, response, 503, text)
}

function principalOf(authorization: string | undefined, { byToken, everybody }: HttpFrontOptions) {
  return everybody ?? byToken(bearerOf(authorization))
}

function authenticator(options: HttpFrontOptions) {
  const { wire } = options
  return {
    documents: new Map<string, string>(),
    authenticate(request: { header(name: string): string | undefined }) {
      const given = request.header('authorization')
      const principal = principalOf(given, options)
      if (principal) {
        const workingIn = request.header(workingInHeader)?.split(' ').map(decodeURIComponent)
        const caller = admitted(principal, claimsOf(projectIn(request.header(lineHeaders.project)), workingIn))
        wire?.callers.authenticated(caller.claims)
        return caller
      }
      const message = `${given === undefined ? 'There is no token' : 'The token is not known here'}. ${howToConnect}`
      // without resource metadata, so that clients do not start a sign-in that cannot work
      return { status: 401, message, headers: { 'www-authenticate': 'Bearer' } }
    },
  }
}

/** Authentication of a caller that was admitted. */
export function admitted({ id }: Principal, claims: ReturnType<typeof claimsOf>) {
  return {
    principal: id,
    scopes: [],
    claims,
    expiresAt: undefined,
    headers: {},
    challengeFor: () => ({ status: 403, message: 'Forbidden', headers: {} }),
  }
}

/** Tells the endpoint the projects of the caller, by a header of the host's own; one that a caller sends is dropped. */
function noteProjects({ headers }: IncomingMessage, projects: readonly string[] = []): void {
  if (projects.length > 0) headers[workingInHeader] = projects.map(encodeURIComponent).join(' ')
  else if (headers[workingInHeader] !== undefined) delete headers[workingInHeader]
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, text: string): void {
  request.resume()
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`)
}

/** The sentence about an unknown address; only callers with a token learn which addresses there are. */
function notFound(path: string, { headers }: IncomingMessage, options: HttpFrontOptions): string {
  const known = principalOf(headers.authorization, options) && options.addresses?.()
  const [, kind, name] = /^\/mcp\/(server|profile)\/([^/]+)$/.exec(path) ?? []
  const what = name === undefined ? 'There is nothing at this address' : `There is no ${kind} "${name}" at this host`
  if (known === undefined) return `${what}. ${howToConnect}`
  return `${what}. There are ${known.join(', ')}`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

async function explained(error: NodeJS.ErrnoException, host: string, port: number): Promise<Error> {
  const holder = error.code === 'EADDRINUSE' ? ((await portHolder(port)) ?? 'another program') : undefined
  const why =
    holder === undefined
      ? error.message
      : `${holder} uses the port; end that program, or choose another port with "--port" or "host.port"`
  return new Error(`Cannot listen on ${host}:${port}: ${why}`, { cause: error })
}

async function closeFront(
  http: Server,
  endpoints: Map<string, NodeListener>,
  upgraded: ReadonlySet<Duplex>,
): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()))
  await Promise.all([...endpoints.values()].map((endpoint) => endpoint.close()))
  http.closeIdleConnections()
  http.closeAllConnections()
  for (const socket of upgraded) socket.destroy()
  await closed
}
