import { McpError } from '../../wire/errors.ts'
import { resolveKnownLimits } from '../../wire/resolve-limits.ts'
import { authorize } from './authorize.ts'
import { Clients, type DevClient } from './clients.ts'
import { type IssuedGrant, IssuedGrants } from './grants.ts'
import { listenLocally } from './listen.ts'
import { paths, serverMetadata } from './metadata.ts'
import { register } from './register.ts'
import { json, textResponse } from './responses.ts'
import { Signer } from './signer.ts'
import { token } from './token.ts'

/** Limits of the development server. */
export interface DevServerLimits {
  /** Codes that are stored, and as many sign-ins; the oldest are dropped first. @default 1_000 */
  readonly maxGrants?: number
  /** Registered clients that are stored; the oldest are dropped first. @default 1_000 */
  readonly maxClients?: number
}

/** Options of {@link devServer}. */
export interface DevServerOptions {
  /** @default a free one */
  readonly port?: number
  /** Configured clients; others register themselves or use a metadata document. @default none */
  readonly clients?: readonly DevClient[]
  /** The subject of all tokens. @default 'developer' */
  readonly subject?: string
  /** Decides instead of a user. @default everything is allowed */
  readonly approve?: (grant: IssuedGrant) => boolean | Promise<boolean>
  /** The supported scopes. @default any */
  readonly scopes?: readonly string[]
  /** Milliseconds for which an access token is valid. @default 600_000 */
  readonly tokenMs?: number
  /** Milliseconds for which tokens can be refreshed. @default 86_400_000 */
  readonly refreshMs?: number
  /** Milliseconds for which a code is valid. @default 60_000 */
  readonly codeMs?: number
  /** Limits to what is remembered. */
  readonly limits?: DevServerLimits
  /** @default Date.now */
  readonly now?: () => number
  /** Receives the warning that this is not for production. @default prints it to standard error */
  readonly warn?: (warning: string) => void
}

/** A running development authorization server. */
export interface DevServer extends AsyncDisposable {
  readonly issuer: string
  /** Issues a token directly, for tests. */
  tokenFor(grant: Partial<IssuedGrant>): Promise<string>
  /** The number of stored codes, sign-ins and registered clients. */
  readonly live: number
  close(): Promise<void>
}

/** The default limits. */
export const devServerLimits = { maxGrants: 1_000, maxClients: 1_000 } as const satisfies DevServerLimits

const defaults = {
  port: 0,
  clients: [],
  subject: 'developer',
  approve: () => true,
  tokenMs: 600_000,
  refreshMs: 86_400_000,
  codeMs: 60_000,
  now: Date.now,
  warn: (warning: string) => console.warn(warning),
} as const satisfies DevServerOptions

/** Starts an authorization server for development and tests: in memory, on this machine, without a consent page. */
export async function devServer(options: DevServerOptions = {}): Promise<DevServer> {
  const settings = { ...defaults, ...options }
  refuseProduction()
  const limits = resolveKnownLimits(devServerLimits, options.limits)
  const grants = new IssuedGrants({ ...settings, ...limits })
  const signer = await Signer.make(settings.now)
  let clients: Clients | undefined
  const { origin: issuer, close } = await listenLocally(settings.port, (origin) => {
    clients = new Clients({ clients: settings.clients, issuer: origin, ...limits })
    return routes({ ...settings, issuer: origin, clients, grants, signer })
  })
  settings.warn(warning(issuer))
  const { subject, tokenMs } = settings
  return {
    issuer,
    close,
    tokenFor: (grant) => signer.sign({ ...blank, subject, ...grant }, { issuer, lastsMs: tokenMs }),
    get live() {
      return grants.size + (clients?.registered ?? 0)
    },
    [Symbol.asyncDispose]: close,
  }
}

const blank = { clientId: 'development', scopes: [], resources: [] } as const

type Parts = Parameters<typeof authorize>[1] & Parameters<typeof token>[1]

function routes(parts: Parts): (request: Request) => Promise<Response> {
  const { issuer, scopes, signer } = parts
  const table: { readonly [route: string]: (request: Request) => Response | Promise<Response> } = {
    [`GET ${paths.metadata}`]: () => json(serverMetadata(issuer, scopes)),
    [`GET ${paths.keys}`]: () => json(signer.jwks),
    [`GET ${paths.authorize}`]: (request) => authorize(request, parts),
    [`POST ${paths.token}`]: (request) => token(request, parts),
    [`POST ${paths.register}`]: (request) => register(request, parts.clients),
  }
  return async (request) => {
    const route = `${request.method} ${new URL(request.url).pathname}`
    return Object.hasOwn(table, route) ? ((await table[route]?.(request)) as Response) : textResponse(404, 'Not found')
  }
}

function refuseProduction(): void {
  if (globalThis.process?.env.NODE_ENV !== 'production') return
  throw new McpError('Misuse', 'Cannot start the development authorization server in production: it lets everybody in')
}

function warning(issuer: string): string {
  const lines = [
    'DEVELOPMENT AUTHORIZATION SERVER - NOT FOR PRODUCTION',
    `${issuer} lets everybody in, asks nobody, and forgets all when it ends`,
  ]
  const width = Math.max(...lines.map(({ length }) => length))
  const rule = '*'.repeat(width + 4)
  return [rule, ...lines.map((line) => `* ${line.padEnd(width)} *`), rule].join('\n')
}
