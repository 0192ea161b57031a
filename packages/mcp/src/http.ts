/** HTTP, whatever is under it: a handler for `Request` and `Response`. */

import type { Dialect } from './dialects/dialect.ts'
import { dialectNamed } from './dialects/dialects.ts'
import type { Servable } from './server/connections.ts'
import type { ServerConnection } from './server/conversation.ts'
import { type FetchHandler, fetchHandler } from './transports/http/fetch/fetch-handler.ts'
import { Endpoint } from './transports/http/server/endpoint.ts'
import type { EndpointOptions } from './transports/http/server/endpoint-options.ts'
import { KeepAlive } from './transports/http/server/keep-alive.ts'
import { httpLimits } from './transports/http/server/limits.ts'
import type { Service } from './transports/http/server/service.ts'
import { refuseUnknownLimits } from './wire/limits.ts'

export type { EventStore, StoredEvent } from './stores/event-store.ts'
export { type EventStoreLimits, MemoryEventStore } from './stores/memory-event-store.ts'
export { MemorySessionStore, type SessionStoreLimits } from './stores/memory-session-store.ts'
export type { SessionRecord, SessionStore } from './stores/session-store.ts'
export type { FetchHandler } from './transports/http/fetch/fetch-handler.ts'
export type { CorsOptions } from './transports/http/server/cors.ts'
export type { EndpointOptions } from './transports/http/server/endpoint-options.ts'
export type { HttpLimits } from './transports/http/server/limits.ts'
export type { RequestContext } from './transports/http/server/request-reply.ts'
export type { SessionOptions } from './transports/http/session/session-table.ts'

export interface HttpOptions extends EndpointOptions {
  /** Milliseconds between signs of life on quiet streams. @default 15_000 */
  readonly keepAliveMs?: number
}

/** One address for every revision, in the form that Hono, Bun, Deno and Workers take. */
export function toFetch(server: Servable, options: HttpOptions = {}): FetchHandler {
  refuseUnknownLimits(options.limits, httpLimits)
  const { endpoint, keepAlive } = endpointOf(server, options)
  return fetchHandler(endpoint, keepAlive)
}

/** What every face of one address shares. */
export function endpointOf(server: Servable, options: HttpOptions): { endpoint: Endpoint; keepAlive: KeepAlive } {
  return { endpoint: new Endpoint(serviceOf(server), options), keepAlive: new KeepAlive(options.keepAliveMs ?? 15_000) }
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
    report: (error, what) => server.report(error, what),
    openings: new Set(server.dialects.map(({ opening }: Dialect) => opening)),
    agrees: (revision) => dialectNamed(revision, server.dialects) !== undefined,
  }
}
