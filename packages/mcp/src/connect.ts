import { assertTarget } from './client/assert-target.ts'
import type { Dial } from './client/dial.ts'
import type { ClientExtension } from './client/extension.ts'
import { type ClientLimits, clientLimits } from './client/limits.ts'
import { type Connection, openAs } from './client/open.ts'
import { knownOpeningOf } from './client/opening-cache.ts'
import type { ClientOptions } from './client/options.ts'
import { dialUrl } from './dial-url.ts'
import type { ServerTypes } from './model/server-types.ts'
import type { Authorizer } from './rpc/authorizer.ts'
import type { Channel } from './rpc/channel.ts'
import type { Servable } from './server/connections.ts'
import type { Server } from './server/server.ts'
import type { DialHttpOptions } from './transports/http/client/dial-http.ts'
import { type HttpClientLimits, httpClientLimits } from './transports/http/client/limits.ts'
import { memoryPair } from './transports/memory.ts'
import { type SpawnLimits, spawnLimits } from './transports/stdio/limits.ts'
import type { SpawnTarget } from './transports/stdio/spawn-target.ts'
import { McpError } from './wire/errors.ts'
import { type KnownOptions, refuseUnknownOptions } from './wire/known-options.ts'
import { refuseUnknownLimits, resolveLimits } from './wire/resolve-limits.ts'

/** What can be connected to: a server in this process, one at a URL, a program to start, or a channel of your own. */
export type Target = Server<ServerTypes> | Servable | URL | `${'http' | 'ws'}${string}` | SpawnTarget | Channel | Dial

/** How much of a server is taken, whatever way leads to it; one that a transport does not have changes nothing there. */
export interface ConnectLimits extends ClientLimits, SpawnLimits, HttpClientLimits {}

/** What `connect` takes beside the target: options of every client, of HTTP, and of programs. */
export interface ConnectOptions extends Omit<ClientOptions, 'limits'> {
  /** How much of the server is taken, and how much is sent. */
  readonly limits?: Partial<ConnectLimits>
  /** How a server at a URL is reached. */
  readonly http?: Omit<DialHttpOptions, 'limits'>
  /** Shows a server at a URL who is calling, such as what `signIn()` of `@trunkline/mcp/auth` makes. */
  readonly auth?: Authorizer | undefined
}

/** The types of a client of this server; of a program nothing is known unless its definition is named. */
export type TypesOf<Known> = Known extends { readonly offers: infer Has extends ServerTypes } ? Has : ServerTypes

/** Connects to a server, in the newest revision that both sides speak. */
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
  refuseUnknownLimits(options.limits, clientLimits, spawnLimits, httpClientLimits)
  const { dial, key } = await dialing(target, options)
  return openAs<TypesOf<Known>, On>(dial, options, knownOpeningOf(key))
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
  WebSocket: true,
} as const satisfies KnownOptions<NonNullable<ConnectOptions['http']>>

interface Dialing {
  readonly dial: Dial
  /** Names the server, so that it is greeted the right way at once the next time. */
  readonly key?: string
}

async function dialing(target: Target, { onWarning, http, auth, limits = {} }: ConnectOptions): Promise<Dialing> {
  if (typeof target === 'function') return { dial: target }
  if (typeof target === 'string' || target instanceof URL) {
    return { dial: await dialUrl(target, { auth, ...http, limits }), key: String(target) }
  }
  if ('answering' in target) return { dial: () => inMemory(target) }
  if ('command' in target) {
    // what only some need is loaded when it is needed
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
  return (line) => warn(`Skipped a line of the server's output that is no message: ${line}`)
}

function once(channel: Channel): Dial {
  let used = false
  return () => {
    if (used) throw new McpError('Closed', 'Cannot connect again: the channel can be opened only once')
    used = true
    return channel
  }
}
