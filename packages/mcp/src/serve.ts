import type { Authenticator } from './auth/resource/authenticator.ts'
import type { ProtectOptions } from './auth/resource/protect.ts'
import type { SsePaths } from './auth/resource/protected-resources.ts'
import type { HttpOptions } from './http-endpoint.ts'
import { assertServable } from './server/assert-servable.ts'
import type { Servable } from './server/connections.ts'
import type { HttpServerOptions, RunningServer } from './transports/http/node/listen-http.ts'
import { type HttpServerLimits, httpServerLimits } from './transports/http/server/limits.ts'
import type { SseOptions } from './transports/sse/sse-endpoint.ts'
import { type StdioLimits, stdioLimits } from './transports/stdio/limits.ts'
import { McpError } from './wire/errors.ts'
import { type KnownOptions, refuseUnknownOptions } from './wire/known-options.ts'
import { isObject } from './wire/messages.ts'
import { refuseUnknownLimits, resolveLimits } from './wire/resolve-limits.ts'

/** How much is taken from callers; one that a transport does not have changes nothing there. */
export interface ServeLimits extends HttpServerLimits, StdioLimits {}

/** How a definition is served: over stdio, or over HTTP with `http`. */
export interface ServeOptions
  extends Omit<HttpOptions, 'auth' | 'limits'>,
    Omit<HttpServerOptions, 'port' | 'host' | 'limits'> {
  /** How much is taken from callers. */
  readonly limits?: Partial<ServeLimits>
  /** The port to serve HTTP on, or `host:port`. @default serves over stdio */
  readonly http?: number | string
  /** Lets in over HTTP only those who show a token of an authorization server, or whom a gate admits. @default everybody */
  readonly auth?: ServeAuth | Authenticator
}

/** Who may call; `resource` is needed where clients know this server by another address than the one it listens on. */
export type ServeAuth = Omit<ProtectOptions, 'resource'> & Partial<Pick<ProtectOptions, 'resource'>>

/** Serves a definition over HTTP; resolves when it listens. A signal to end lets what is under way finish. */
export function serve(
  server: Servable,
  options: ServeOptions & { readonly http: number | string },
): Promise<RunningServer>
/** Serves a definition over stdio; resolves when it is over. */
export function serve(server: Servable, options?: ServeOptions): Promise<void>
export async function serve(server: Servable, options: ServeOptions = {}): Promise<unknown> {
  assertServable(server)
  refuseAddress(options)
  refuseUnknownOptions('Cannot serve', options, knownOptions)
  refuseUnknownLimits(options.limits, httpServerLimits, stdioLimits)
  const { http } = options
  if (http === undefined) {
    const { serveStdio } = await import('#stdio')
    await serveStdio((channel) => server.serve(channel), { limits: resolveLimits(stdioLimits, options.limits) })
    return undefined
  }
  const { serveHttp, untilSignal } = await import('#node')
  const { auth, limits: given, ...rest } = options
  const limits = resolveLimits(httpServerLimits, given)
  const address = addressOf(http)
  const gate = auth && (await gateOf(auth, { ...address, sse: rest.sse, url: () => listening.url }))
  const listening: RunningServer = await serveHttp(server, { ...rest, ...address, limits, ...(gate && { auth: gate }) })
  void untilSignal(listening)
  return listening
}

/** What other libraries call the address. */
function refuseAddress(options: object): void {
  for (const name of ['port', 'host', 'hostname'])
    if (isObject(options) && name in options)
      throw new McpError('Misuse', `Cannot serve: there is no option "${name}"; write http: 3000, or http: "host:3000"`)
}

const knownOptions = {
  http: true,
  auth: true,
  limits: true,
  sessions: true,
  sse: true,
  cors: true,
  drainMs: true,
  keepAliveMs: true,
  path: true,
  hosts: true,
  origins: true,
  headersTimeoutMs: true,
  requestTimeoutMs: true,
  websocket: true,
} as const satisfies KnownOptions<ServeOptions>

/** Loads what authorization takes, which nobody else should have to load. */
async function gateOf(auth: ServeAuth | Authenticator, { host, sse, url }: Place): Promise<Authenticator> {
  if ('authenticate' in auth) return auth
  if (auth.resource === undefined && (host === '0.0.0.0' || host === '::')) {
    const fix = 'give as "resource" the one by which clients know the server'
    throw new McpError('Misuse', `Cannot protect every address of this machine: ${fix}`)
  }
  const { protect } = await import('./auth-resource.ts')
  const paths = sse && (await ssePathsOf(sse === true ? {} : sse))
  return protect({ resource: url, ...(paths && { sse: paths }), ...auth })
}

async function ssePathsOf(options: SseOptions): Promise<SsePaths> {
  const { sseDefaults } = await import('./transports/sse/sse-endpoint.ts')
  return { ...sseDefaults, ...options }
}

interface Address {
  readonly port: number
  readonly host?: string
}

/** What is known of where a server will be before it listens. */
interface Place extends Address {
  readonly sse: ServeOptions['sse']
  readonly url: () => string
}

/** A port, or a host and a port; the host of an IPv6 address stands in brackets. */
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
