import type { Dialect } from './dialects/dialect.ts'
import { dialectNamed } from './dialects/select-dialect.ts'
import { assertServable } from './server/assert-servable.ts'
import type { Servable } from './server/connections.ts'
import type { ServerConnection } from './server/conversation.ts'
import { Endpoint } from './transports/http/server/endpoint.ts'
import type { EndpointOptions } from './transports/http/server/endpoint-options.ts'
import { KeepAlive } from './transports/http/server/keep-alive.ts'
import type { Service } from './transports/http/server/service.ts'
import type { KnownOptions } from './wire/known-options.ts'

/** Options of serving HTTP. */
export interface HttpOptions extends EndpointOptions {
  /** Milliseconds between keep-alive comments on idle streams. @default 15_000 */
  readonly keepAliveMs?: number
}

/** The names of all options of serving HTTP. */
export const knownHttpOptions = {
  limits: true,
  sessions: true,
  sse: true,
  cors: true,
  auth: true,
  drainMs: true,
  keepAliveMs: true,
  hosts: true,
  origins: true,
} as const satisfies KnownOptions<HttpOptions>

/** The endpoint behind `toFetch`, `toNode` and `serveHttp`. */
export function endpointOf(server: Servable, options: HttpOptions): { endpoint: Endpoint; keepAlive: KeepAlive } {
  return { endpoint: new Endpoint(serviceOf(server), options), keepAlive: new KeepAlive(options.keepAliveMs ?? 15_000) }
}

function serviceOf(server: Servable): Service {
  assertServable(server)
  const ending = new AbortController()
  const connections = new Set<ServerConnection>()
  return {
    answer: server.answering(ending.signal),
    serve(channel) {
      const connection = server.serve(channel)
      connections.add(connection)
      connection.peer.onClosed(() => connections.delete(connection))
      return connection
    },
    async finish() {
      ending.abort()
      await Promise.all([...connections].map(({ peer }) => peer.ended()))
    },
    underWay: () => [...connections].flatMap(({ peer }) => peer.underWay),
    report: (error, what) => server.report(error, what),
    openings: new Set(server.dialects.map(({ opening }: Dialect) => opening)),
    agrees: (revision) => dialectNamed(revision, server.dialects) !== undefined,
  }
}
