import { createServer, type Server, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpError } from '../../../wire/errors.ts'
import { resolveLimits } from '../../../wire/resolve-limits.ts'
import { describeInFlight } from '../../describe-in-flight.ts'
import { checkedDelay, settlesWithin } from '../../timers.ts'
import type { Endpoint } from '../server/endpoint.ts'
import type { KeepAlive } from '../server/keep-alive.ts'
import { type HttpServerLimits, httpServerLimits } from '../server/limits.ts'
import { acceptWebSockets } from './accept-websockets.ts'
import { endIdleSockets } from './idle-sockets.ts'
import { routing } from './routes.ts'
import { SocketLimit } from './socket-limit.ts'
import { UpgradableRequest } from './upgrade.ts'

/** Where a server listens, and how long it waits for requests to arrive. */
export interface HttpServerOptions {
  /** @default 0, which takes a free one */
  readonly port?: number
  /** The address to listen on. @default 127.0.0.1 */
  readonly host?: string
  /** @default /mcp */
  readonly path?: string
  /** How much is taken from callers. */
  readonly limits?: Partial<HttpServerLimits>
  /** Milliseconds for the headers of a request. @default 15_000 */
  readonly headersTimeoutMs?: number
  /** Milliseconds for a whole request; answers may take longer. @default 30_000 */
  readonly requestTimeoutMs?: number
  /** Takes WebSocket connections at the same path; needs the package `ws`. @default not */
  readonly websocket?: boolean
}

const defaults = {
  port: 0,
  host: '127.0.0.1',
  path: '/mcp',
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 30_000,
} as const satisfies HttpServerOptions

/** A server that listens. */
export interface RunningServer extends AsyncDisposable {
  readonly url: string
  /** Every path at which something is answered; any other is not found. */
  readonly paths: readonly string[]
  /** What is worked on at the moment, such as `tools/call "report"`. */
  readonly underWay: readonly string[]
  /** Milliseconds that it may take when the server closes. */
  readonly drainMs: number
  /** Stops listening, answers what is under way as far as time allows, then ends every connection. */
  close(): Promise<void>
  /** Resolves when it is closed, whoever closed it. */
  readonly whenClosed: Promise<void>
}

/** Listens for HTTP and serves an endpoint at one path; everything else is not found, but for `/healthz`. */
export async function listenHttp(
  endpoint: Endpoint,
  keepAlive: KeepAlive,
  options: HttpServerOptions = {},
): Promise<RunningServer> {
  const settings = { ...defaults, ...options }
  const limits = resolveLimits(httpServerLimits, options.limits)
  const routes = routing(endpoint, keepAlive, settings.path)
  const { websocket } = options
  const http = createServer({ ...strict(settings), ...(websocket && { IncomingMessage: UpgradableRequest }) })
  http.maxHeadersCount = mostHeaders
  endIdleSockets(http)
  const connections = new SocketLimit(http, limits.maxConnections)
  http.on('request', connections.limited(routes.listener))
  const closeSockets = websocket
    ? await acceptWebSockets(http, endpoint, { path: settings.path, keepAlive, ...limits })
    : undefined
  await listening(http, settings)
  const { port } = http.address() as AddressInfo
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host
  const close = () => shutDown({ http, endpoint, connections, closeSockets })
  return {
    url: `http://${host}:${port}${settings.path}`,
    get paths() {
      return routes.paths
    },
    get underWay() {
      return describeInFlight(endpoint.underWay)
    },
    drainMs: endpoint.drainMs,
    close,
    whenClosed: new Promise((resolve) => http.once('close', resolve)),
    [Symbol.asyncDispose]: close,
  }
}

const mostHeaders = 64

/** How Node reads requests: by the letter, and not for ever. */
function strict({ headersTimeoutMs, requestTimeoutMs }: Required<Pick<HttpServerOptions, Timeouts>>): ServerOptions {
  const requestTimeout = checkedDelay('requestTimeoutMs', requestTimeoutMs)
  const headersTimeout = Math.min(checkedDelay('headersTimeoutMs', headersTimeoutMs), requestTimeout)
  // looked at so often that nobody gets much more time than that
  const connectionsCheckingInterval = Math.min(headersTimeout, mostCheckingMs)
  return { insecureHTTPParser: false, headersTimeout, requestTimeout, connectionsCheckingInterval }
}

type Timeouts = 'headersTimeoutMs' | 'requestTimeoutMs'
const mostCheckingMs = 5_000

function listening(http: Server, { port, host }: { port: number; host: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    http.on('error', (error: NodeJS.ErrnoException) => {
      // one that comes later is about a connection that could not be accepted, and its client knows
      const why = error.code === 'EADDRINUSE' ? 'the port is in use; choose another one' : error.message
      reject(new McpError('Misuse', `Cannot listen on ${host}:${port}: ${why}`, { cause: error }))
    })
    http.listen(port, host, resolve)
  })
}

interface Running {
  readonly http: Server
  readonly endpoint: Endpoint
  readonly connections: SocketLimit
  readonly closeSockets: (() => Promise<unknown>) | undefined
}

async function shutDown({ http, endpoint, connections, closeSockets }: Running): Promise<void> {
  const until = performance.now() + endpoint.drainMs
  const closed = new Promise<void>((resolve) => http.close(() => resolve()))
  await endpoint.close()
  await closeSockets?.()
  // what was answered may still be on its way to somebody who reads slowly
  connections.end()
  await settlesWithin(closed, Math.max(until - performance.now(), leastFlushMs))
  connections.destroy()
  await closed
}

const leastFlushMs = 500
