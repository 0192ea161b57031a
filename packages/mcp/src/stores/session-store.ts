import type { NotificationMessage, RequestMessage } from '../wire/messages.ts'

/** A stored session, as JSON. */
export interface SessionRecord {
  /** The principal of the session, if it was authenticated. */
  readonly principal?: string
  /** The name of the session in the ids of its events. */
  readonly alias: string
  /** The messages that restore the session when they are replayed in order. */
  readonly messages: readonly (RequestMessage | NotificationMessage)[]
}

/**
 * Stores sessions for several processes. Records are saved when they change, not when they are used, so a store that
 * expires them should keep them for days.
 */
export interface SessionStore {
  /** Stores a record, replacing the previous one. */
  save(id: string, record: SessionRecord): void | Promise<void>
  load(id: string): SessionRecord | undefined | Promise<SessionRecord | undefined>
  drop(id: string): void | Promise<void>
}
