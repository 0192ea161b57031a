import type { Authenticator } from './auth/resource/authenticator.ts'
import type { ProtectOptions } from './auth/resource/protect.ts'
import type { SsePaths } from './auth/resource/protected-resources.ts'
import type { HttpOptions } from './http-endpoint.ts'
import { assertServable } from './server/assert-servable.ts'
import type { Servable } from './server/connections.ts'
import type { HttpServerOptions, RunningServer } from './transports/http/node/listen-http.ts'
import { type HttpServerLimits, httpServerLimits } from './transports/http/server/http-limits.ts'
import type { SseOptions } from './transports/sse/sse-endpoint.ts'
import { type StdioLimits, stdioLimits } from './transports/stdio/stdio-limits.ts'
import { checkedDelay } from './transports/timers.ts'
import { McpError } from './wire/errors.ts'
import { type KnownOptions, refuseUnknownOptions } from './wire/known-options.ts'
import { isObject } from './wire/messages.ts'
import { refuseUnknownLimits, resolveLimits } from './wire/resolve-limits.ts'

/** Limits of a server and of its transport; those of other transports have no effect. */
export interface ServeLimits extends HttpServerLimits, StdioLimits {}

/** Options of {@link serve}: over stdio, or over HTTP with `http`. */
export interface ServeOptions
  extends Omit<HttpOptions, 'auth' | 'limits'>,
    Omit<HttpServerOptions, 'port' | 'host' | 'limits'> {
  /** Limits of what callers may use. */
  readonly limits?: Partial<ServeLimits>
  /** The port to serve HTTP on, or `host:port`. @default serves over stdio */
  readonly http?: number | string
  /** Milliseconds after a signal for which `/readyz` fails before listening stops. @default 5_000 in a cluster, otherwise 0 */
  readonly unreadyMs?: number
  /** Requires authorization over HTTP: options of `protect()`, or an authenticator of your own. @default none needed */
  readonly auth?: ServeAuth | Authenticator
}

/** Options of authorization; `resource` is needed where the public URL differs from the address it listens on. */
export type ServeAuth = Omit<ProtectOptions, 'resource'> & Partial<Pick<ProtectOptions, 'resource'>>

/** Serves a server over HTTP; resolves when it listens. On SIGTERM or SIGINT requests in flight may finish. */
export function serve(
  server: Servable,
  options: ServeOptions & { readonly http: number | string },
): Promise<RunningServer>
/** Serves a server over stdio; resolves when the connection has ended. */
export function serve(server: Servable, options?: ServeOptions): Promise<void>
export async function serve(server: Servable, options: ServeOptions = {}): Promise<unknown> {
  assertServable(server)
  refuseAddress(options)
  refuseUnknownOptions('Cannot serve', options, knownOptions)
  refuseUnknownLimits(options.limits, httpServerLimits, stdioLimits)
  const { http, auth, limits: given, unreadyMs, ...rest } = options
  if (http === undefined) {
    if (rest.cluster !== undefined)
      throw new McpError('Misuse', 'Cannot serve over stdio in a cluster: a pipe leads to one process; give "http"')
    if (auth !== undefined) {
      const fix = 'no token travels over a pipe; give "http", or leave "auth" out'
      throw new McpError('Misuse', `Cannot serve over stdio with "auth": ${fix}`)
    }
    const { serveStdio } = await import('#stdio')
    await serveStdio((channel) => server.serve(channel), { limits: resolveLimits(stdioLimits, given) })
    return undefined
  }
  const { serveHttp, untilSignal } = await import('#node')
  const limits = resolveLimits(httpServerLimits, given)
  const address = addressOf(http)
  const { cluster } = rest
  const notReadyMs = unreadyTime(unreadyMs, cluster)
  const place = { ...address, sse: rest.sse, url: () => listening.url, cluster }
  const gate = auth && (await gateOf(auth, place))
  const listening: RunningServer = await serveHttp(server, { ...rest, ...address, limits, ...(gate && { auth: gate }) })
  void untilSignal(cluster || notReadyMs > 0 ? endingSlowly(listening, notReadyMs, cluster) : listening)
  return listening
}

type Cluster = NonNullable<HttpOptions['cluster']>

/** A balancer that asks every two seconds has asked twice by then. */
const unreadyInClusterMs = 5_000

function unreadyTime(given: number | undefined, cluster: Cluster | undefined): number {
  const ms = given ?? (cluster ? unreadyInClusterMs : 0)
  return ms === 0 ? 0 : checkedDelay('unreadyMs', ms)
}

/**
 * A server that is not ready for a while before it stops listening, and whose stores are closed after it, because their
 * connections would keep the process alive.
 */
function endingSlowly(listening: RunningServer, unreadyMs: number, cluster: Cluster | undefined) {
  return {
    get underWay() {
      return listening.underWay
    },
    drainMs: listening.drainMs,
    whenClosed: listening.whenClosed,
    async close(): Promise<void> {
      listening.retire()
      await new Promise<void>((resolve) => setTimeout(resolve, unreadyMs))
      await listening.close()
      if (cluster) await ('stores' in cluster ? cluster.stores : cluster).close()
    },
  }
}

/** Refuses `port`, `host` and other names of the `http` option. */
function refuseAddress(options: object): void {
  for (const name of ['port', 'host', 'hostname'])
    if (isObject(options) && name in options)
      throw new McpError('Misuse', `Cannot serve: there is no option "${name}"; write http: 3000, or http: "host:3000"`)
}

const knownOptions = {
  http: true,
  cluster: true,
  auth: true,
  limits: true,
  sessions: true,
  sse: true,
  cors: true,
  drainMs: true,
  unreadyMs: true,
  keepAliveMs: true,
  path: true,
  hosts: true,
  origins: true,
  headersTimeoutMs: true,
  requestTimeoutMs: true,
  websocket: true,
} as const satisfies KnownOptions<ServeOptions>

/** Loads the authorization code only when it is used. */
async function gateOf(auth: ServeAuth | Authenticator, { host, sse, url, cluster }: Place): Promise<Authenticator> {
  if ('authenticate' in auth) return auth
  if (auth.resource === undefined && (host === '0.0.0.0' || host === '::')) {
    const fix = 'give as "resource" the one by which clients know the server'
    throw new McpError('Misuse', `Cannot protect every address of this machine: ${fix}`)
  }
  const { protect } = await import('./auth-resource.ts')
  const paths = sse && (await ssePathsOf(sse === true ? {} : sse))
  return protect({ resource: url, ...(paths && { sse: paths }), ...auth, ...(cluster && sharedProofs(auth, cluster)) })
}

/** Proofs that no process takes which another has seen. */
function sharedProofs({ dpop }: ServeAuth, cluster: Cluster): Pick<ServeAuth, 'dpop'> {
  if (dpop?.nonce && !dpop.keys)
    throw new McpError(
      'Misuse',
      'Cannot serve in a cluster: "auth.dpop.nonce" needs "auth.dpop.keys", the same everywhere',
    )
  return { dpop: { used: ('stores' in cluster ? cluster.stores : cluster).proofs, ...dpop } }
}

async function ssePathsOf(options: SseOptions): Promise<SsePaths> {
  const { sseDefaults } = await import('./transports/sse/sse-endpoint.ts')
  return { ...sseDefaults, ...options }
}

interface Address {
  readonly port: number
  readonly host?: string
}

/** The address of a server before it listens. */
interface Place extends Address {
  readonly sse: ServeOptions['sse']
  readonly url: () => string
  readonly cluster: Cluster | undefined
}

/** Parses a port, or a host and a port; an IPv6 host is in brackets. */
function addressOf(http: number | string): Address {
  const text = String(http)
  const colon = text.lastIndexOf(':')
  const port = Number(text.slice(colon + 1))
  if (text === '' || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new McpError('Misuse', `Cannot serve HTTP on ${JSON.stringify(text)}: give a port, or host:port`)
  }
  const host = text.slice(0, Math.max(colon, 0)).replace(/^\[(.*)\]$/, '$1')
  return host === '' ? { port } : { port, host }
}
