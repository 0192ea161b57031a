/** HTTP for any runtime: a handler for `Request` and `Response`. */
import { endpointOf, type HttpOptions, joinSoon, knownHttpOptions } from './http-endpoint.ts'
import type { Servable } from './server/connections.ts'
import { type FetchHandler, fetchHandler } from './transports/http/fetch/fetch-handler.ts'
import { httpLimits } from './transports/http/server/http-limits.ts'
import { refuseUnknownOptions } from './wire/known-options.ts'
import { refuseUnknownLimits } from './wire/resolve-limits.ts'

export type * from './http-types.ts'
export { type ClusterLimits, memoryCluster } from './stores/memory-cluster.ts'
export { type EventStoreLimits, MemoryEventStore } from './stores/memory-event-store.ts'
export { MemorySessionStore, type SessionStoreLimits } from './stores/memory-session-store.ts'
export type { FetchHandler } from './transports/http/fetch/fetch-handler.ts'

/** A handler for Hono, Bun, Deno and Workers that serves every revision at one URL. */
export function toFetch(server: Servable, options: HttpOptions = {}): FetchHandler {
  refuseUnknownOptions('Cannot serve', options, knownHttpOptions)
  refuseUnknownLimits(options.limits, httpLimits)
  const { endpoint, keepAlive, member } = endpointOf(server, options)
  joinSoon(server, member)
  return fetchHandler(endpoint, keepAlive)
}
