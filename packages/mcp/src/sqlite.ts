/**
 * Stores for all that a server must not forget, in one SQLite file: tasks, sessions, events and side effects. Needs
 * Node 22.13 or newer.
 */

export type { EffectName, EffectStore, StoredEffect } from './stores/effect-store.ts'
export type { EventStore, StoredEvent } from './stores/event-store.ts'
export type { SessionRecord, SessionStore } from './stores/session-store.ts'
export {
  type SqliteLimits,
  type SqliteOptions,
  type SqliteStores,
  sqliteStores,
} from './stores/sqlite/stores.ts'
export type {
  StoredStatus,
  StoredTask,
  TaskEntry,
  TaskPlace,
  TaskStore,
  TaskUpdate,
} from './stores/task-store.ts'
