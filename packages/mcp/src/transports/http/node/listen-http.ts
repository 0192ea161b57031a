import type { Server, ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { endIdleSockets } from '@trunkline/base/idle-sockets'
import { createServer } from '../../../network/node-http.ts'
import { McpError } from '../../../wire/errors.ts'
import { resolveLimits } from '../../../wire/resolve-limits.ts'
import { describeInFlight } from '../../describe-in-flight.ts'
import { checkedDelay, settlesWithin } from '../../timers.ts'
import type { Endpoint } from '../server/endpoint.ts'
import { type HttpServerLimits, httpServerLimits } from '../server/http-limits.ts'
import type { KeepAlive } from '../server/keep-alive.ts'
import { acceptWebSockets } from './accept-websockets.ts'
import { routing } from './routes.ts'
import { SocketLimit } from './socket-limit.ts'
import { UpgradableRequest } from './upgrade.ts'

/** Options of an HTTP server. */
export interface HttpServerOptions {
  /** @default 0, which takes a free one */
  readonly port?: number
  /** The address to listen on. @default 127.0.0.1 */
  readonly host?: string
  /** @default /mcp */
  readonly path?: string
  /** Limits of what callers may use. */
  readonly limits?: Partial<HttpServerLimits>
  /** Milliseconds for the headers of a request. @default 15_000 */
  readonly headersTimeoutMs?: number
  /** Milliseconds for a whole request; answers may take longer. @default 30_000 */
  readonly requestTimeoutMs?: number
  /** Accepts WebSockets at the same path; needs the package `ws`. @default not */
  readonly websocket?: boolean
}

const defaults = {
  port: 0,
  host: '127.0.0.1',
  path: '/mcp',
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 30_000,
} as const satisfies HttpServerOptions

/** A running HTTP server. */
export interface RunningServer extends AsyncDisposable {
  readonly url: string
  /** Every path that is served; others are 404. */
  readonly paths: readonly string[]
  /** The requests in flight, such as `tools/call "report"`. */
  readonly underWay: readonly string[]
  /** Milliseconds that requests in flight may take when the server closes. */
  readonly drainMs: number
  /** Makes `/readyz` fail, so that balancers send requests elsewhere; those that still come are answered. */
  retire(): void
  /** Stops listening, waits `drainMs` for requests in flight, then closes all connections. */
  close(): Promise<void>
  /** Resolves when it is closed. */
  readonly whenClosed: Promise<void>
}

/** Listens for HTTP and serves an endpoint at one path, `/healthz` and `/readyz`; everything else is 404. */
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
    retire: () => endpoint.retire(),
    close,
    whenClosed: new Promise((resolve) => http.once('close', resolve)),
    [Symbol.asyncDispose]: close,
  }
}

const mostHeaders = 64

/** Options of `node:http`: strict parsing, and time limits. */
function strict({ headersTimeoutMs, requestTimeoutMs }: Required<Pick<HttpServerOptions, Timeouts>>): ServerOptions {
  const requestTimeout = checkedDelay('requestTimeoutMs', requestTimeoutMs)
  const headersTimeout = Math.min(checkedDelay('headersTimeoutMs', headersTimeoutMs), requestTimeout)
  // checked often enough that no connection gets much more time
  const connectionsCheckingInterval = Math.min(headersTimeout, mostCheckingMs)
  return { insecureHTTPParser: false, headersTimeout, requestTimeout, connectionsCheckingInterval }
}

type Timeouts = 'headersTimeoutMs' | 'requestTimeoutMs'
const mostCheckingMs = 5_000

function listening(http: Server, { port, host }: { port: number; host: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    http.on('error', (error: NodeJS.ErrnoException) => {
      // later errors concern connections that could not be accepted
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
  // slow readers may still be receiving their responses
  connections.end()
  await settlesWithin(closed, Math.max(until - performance.now(), leastFlushMs))
  connections.destroy()
  await closed
}

const leastFlushMs = 500
