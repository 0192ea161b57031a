/** The types of serving over HTTP. */
export type { ClusterOptions } from './cluster/cluster-options.ts'
export type { HttpOptions } from './http-endpoint.ts'
export type {
  Bell,
  ClusterStores,
  ClusterView,
  Presence,
  ProcessFacts,
  ProcessInbox,
  ProofIds,
} from './stores/cluster.ts'
export type {
  AppendOptions,
  AppendRefusal,
  EventStore,
  StoredEvent,
  StreamHead,
} from './stores/event-store.ts'
export type {
  SessionChange,
  SessionRecord,
  SessionStore,
  VersionedSession,
} from './stores/session-store.ts'
export type {
  OwnedTask,
  StoredStatus,
  StoredTask,
  TaskEntry,
  TaskLease,
  TaskOwner,
  TaskPlace,
  TaskStore,
  TaskUpdate,
} from './stores/task-store.ts'
export type { UnreadLimits } from './transports/backpressure.ts'
export type { HttpServerOptions, RunningServer } from './transports/http/node/listen-http.ts'
export type { CorsOptions } from './transports/http/server/cors.ts'
export type { EndpointOptions } from './transports/http/server/endpoint-options.ts'
export type { GuardOptions } from './transports/http/server/guard.ts'
export type { HttpLimits, HttpServerLimits } from './transports/http/server/http-limits.ts'
export type { RequestContext } from './transports/http/server/request-reply.ts'
export type { SessionOptions } from './transports/http/session/session-table.ts'
export type { SseOptions } from './transports/sse/sse-endpoint.ts'
