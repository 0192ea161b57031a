import type { ClusterOptions } from './cluster/cluster-options.ts'
import type { ClusterMember } from './cluster/member.ts'
import type { Dialect } from './dialects/dialect.ts'
import { dialectNamed } from './dialects/select-dialect.ts'
import { assertServable } from './server/assert-servable.ts'
import type { Servable } from './server/connections.ts'
import type { ServerConnection } from './server/conversation.ts'
import type { ClusterStores } from './stores/cluster.ts'
import { Endpoint } from './transports/http/server/endpoint.ts'
import type { EndpointOptions } from './transports/http/server/endpoint-options.ts'
import { KeepAlive } from './transports/http/server/keep-alive.ts'
import type { Service } from './transports/http/server/service.ts'
import { McpError } from './wire/errors.ts'
import type { KnownOptions } from './wire/known-options.ts'

/** Options of serving HTTP. */
export interface HttpOptions extends EndpointOptions {
  /** Stores that several processes of this server share, so that any of them can answer any request. @default none: one process */
  readonly cluster?: ClusterStores | ClusterOptions
  /** Milliseconds between keep-alive comments on idle streams. @default 15_000 */
  readonly keepAliveMs?: number
}

/** The names of all options of serving HTTP. */
export const knownHttpOptions = {
  cluster: true,
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

/** An endpoint with what belongs to it. */
export interface MadeEndpoint {
  readonly endpoint: Endpoint
  readonly keepAlive: KeepAlive
  /** This process in its cluster, if there is one. */
  readonly member: ClusterMember | undefined
}

/** The endpoint behind `toFetch`, `toNode` and `serveHttp`. */
export function endpointOf(server: Servable, { cluster, ...options }: HttpOptions): MadeEndpoint {
  assertServable(server)
  // extensions start with the first service, and have to know by then where they keep their state
  const member = cluster === undefined ? undefined : memberOf(server, cluster, options)
  const service = serviceOf(server)
  const endpoint = new Endpoint(service, options, member)
  return { endpoint, keepAlive: new KeepAlive(options.keepAliveMs ?? 15_000), member }
}

/** Joins the cluster of a handler that is made at once; requests wait for it, and try again where it failed. */
export function joinSoon(server: Servable, member: ClusterMember | undefined): void {
  member?.start().catch((error: unknown) => server.report(error, 'Joining the cluster'))
}

function memberOf(
  server: Servable,
  cluster: NonNullable<HttpOptions['cluster']>,
  { sessions }: HttpOptions,
): ClusterMember {
  const own = sessions && (['store', 'events'] as const).find((name) => sessions[name] !== undefined)
  const problem = own
    ? `"sessions.${own}" is given too; sessions and events are in the stores of the cluster`
    : !server.join && 'a relay has one process; serve what it leads to in a cluster instead'
  if (problem || !server.join) throw new McpError('Misuse', `Cannot serve in a cluster: ${problem}`)
  return server.join(cluster)
}

function serviceOf(server: Servable): Service {
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
