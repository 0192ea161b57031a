import { assertTarget } from './client/assert-target.ts'
import { checkClientOptions } from './client/check-options.ts'
import { type ClientLimits, clientLimits } from './client/client-limits.ts'
import type { ClientOptions } from './client/client-options.ts'
import type { Dial } from './client/dial.ts'
import type { ClientExtension } from './client/extension.ts'
import { type Connection, openAs } from './client/open.ts'
import { knownOpeningOf } from './client/opening-cache.ts'
import { dialUrl } from './dial-url.ts'
import type { ServerTypes } from './model/server-types.ts'
import type { Authorizer } from './rpc/authorizer.ts'
import type { Channel } from './rpc/channel.ts'
import type { Servable } from './server/connections.ts'
import type { Server } from './server/server.ts'
import type { DialHttpOptions } from './transports/http/client/dial-http.ts'
import { type HttpClientLimits, httpClientLimits } from './transports/http/client/http-client-limits.ts'
import { memoryPair } from './transports/memory.ts'
import type { SpawnTarget } from './transports/stdio/spawn-target.ts'
import { type SpawnLimits, spawnLimits } from './transports/stdio/stdio-limits.ts'
import { McpError } from './wire/errors.ts'
import { type KnownOptions, refuseUnknownOptions } from './wire/known-options.ts'
import { refuseUnknownLimits, resolveLimits } from './wire/resolve-limits.ts'

/** The target of a connection: a server in this process, a URL, a program to start, or a channel of your own. */
export type Target = Server<ServerTypes> | Servable | URL | `${'http' | 'ws'}${string}` | SpawnTarget | Channel | Dial

/** Limits of a client and of its transport; those of other transports have no effect. */
export interface ConnectLimits extends ClientLimits, SpawnLimits, HttpClientLimits {}

/** Options of {@link connect}: of every client, of HTTP, and of programs. */
export interface ConnectOptions extends Omit<ClientOptions, 'limits'> {
  /** Limits of what is received and sent. */
  readonly limits?: Partial<ConnectLimits>
  /** Options of a server at a URL. */
  readonly http?: Omit<DialHttpOptions, 'limits'>
  /** Authorizes requests to a server at a URL, for example `signIn()` of `@trunkline/mcp/auth`. */
  readonly auth?: Authorizer | undefined
  /** Puts something between each channel that is opened and the client, to look at what passes. @default nothing */
  readonly through?: (channel: Channel) => Channel
}

/** The types of a client of this server; those of a program are unknown unless its definition is given. */
export type TypesOf<Known> = Known extends { readonly offers: infer Has extends ServerTypes } ? Has : ServerTypes

/** Connects to a server with the newest common revision. */
export async function connect<
  Known = unknown,
  const On extends readonly ClientExtension[] = readonly ClientExtension[],
>(
  target: (Target & Known) | Target,
  options: ConnectOptions & { readonly extensions?: On } = {},
): Promise<Connection<TypesOf<Known>, On>> {
  assertTarget(target)
  refuseUnknownOptions('Cannot connect', options, knownOptions)
  refuseUnknownOptions('Cannot connect', options.http, knownHttpOptions, 'http')
  checkClientOptions(options)
  refuseUnknownLimits(options.limits, clientLimits, spawnLimits, httpClientLimits)
  const { dial, key } = await dialing(target, options)
  const { through } = options
  const dialled = through ? async () => through(await dial()) : dial
  return openAs<TypesOf<Known>, On>(dialled, options, knownOpeningOf(key))
}

const knownOptions = {
  info: true,
  revisions: true,
  sampling: true,
  elicitation: true,
  relay: true,
  roots: true,
  timeoutMs: true,
  maxTotalMs: true,
  signal: true,
  probeMs: true,
  use: true,
  cache: true,
  limits: true,
  extensions: true,
  logLevel: true,
  onLog: true,
  onWarning: true,
  http: true,
  auth: true,
  through: true,
} as const satisfies KnownOptions<ConnectOptions>

const knownHttpOptions = {
  headers: true,
  authorizer: true,
  fetch: true,
  onSessionLost: true,
  renewMs: true,
  closeMs: true,
  reconnect: true,
  clock: true,
  network: true,
  WebSocket: true,
} as const satisfies KnownOptions<NonNullable<ConnectOptions['http']>>

interface Dialing {
  readonly dial: Dial
  /** Identifies the server, so that the next connection starts with the opening that works. */
  readonly key?: string
}

async function dialing(target: Target, { onWarning, http, auth, limits = {} }: ConnectOptions): Promise<Dialing> {
  if (typeof target === 'function') return { dial: target }
  if (typeof target === 'string' || target instanceof URL) {
    return { dial: await dialUrl(target, { auth, ...http, limits }), key: String(target) }
  }
  if ('answering' in target) return { dial: () => inMemory(target) }
  if ('command' in target) {
    // loaded on demand
    const { spawnChannel } = await import('#stdio')
    const { command, args = [], cwd } = target
    const own = resolveLimits(spawnLimits, limits)
    const dial = (): Channel => spawnChannel(target, { limits: own, ...(onWarning && { onNoise: noise(onWarning) }) })
    return { dial, key: JSON.stringify([command, args, cwd]) }
  }
  return { dial: once(target) }
}

function inMemory(server: Servable): Channel {
  const [near, far] = memoryPair()
  server.serve(far)
  return near
}

function noise(warn: (message: string) => void): (line: string) => void {
  return (line) => warn(`Skipped a line of the server's output that is not a message: ${line}`)
}

function once(channel: Channel): Dial {
  let used = false
  return () => {
    if (used) throw new McpError('Closed', 'Cannot connect again: the channel can be opened only once')
    used = true
    return channel
  }
}
