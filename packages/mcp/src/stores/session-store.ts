import type { Notification, Request } from '../wire/messages.ts'

/** All that makes a session, as plain JSON. */
export interface SessionRecord {
  /** Whom the session belongs to, when somebody was authenticated. */
  readonly principal?: string
  /** Names the session in the ids of its events. */
  readonly alias: string
  /** What its client said that lasts; said again in this order, it makes the session anew. */
  readonly messages: readonly (Request | Notification)[]
}

/**
 * Keeps sessions where several processes find them, so that any of them can go on with one. Records are saved when they change,
 * not when they are used, so a store that lets them expire should give them days.
 */
export interface SessionStore {
  /** Keeps a record in the place of the one before. */
  save(id: string, record: SessionRecord): void | Promise<void>
  load(id: string): SessionRecord | undefined | Promise<SessionRecord | undefined>
  drop(id: string): void | Promise<void>
}
