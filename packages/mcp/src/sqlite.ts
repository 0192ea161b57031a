/**
 * Stores for all that a server must not forget, in one SQLite file: tasks, sessions, events and side effects. Needs
 * Node 22.13 or newer.
 */

export type {
  EffectAttempt,
  EffectName,
  EffectState,
  EffectStore,
  StoredEffect,
} from './stores/effect-store.ts'
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
export type * from './stores/sqlite/sqlite-database.ts'
export { sqliteTaskSteps } from './stores/sqlite/sqlite-tables.ts'
export {
  type SqliteLimits,
  type SqliteOptions,
  type SqliteStores,
  sqliteStores,
  sqliteTasks,
} from './stores/sqlite/stores.ts'
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
