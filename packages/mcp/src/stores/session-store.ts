import type { NotificationMessage, RequestMessage } from '../wire/messages.ts'

/** A stored session, as JSON. */
export interface SessionRecord {
  /** The principal of the session, if it was authenticated. */
  readonly principal?: string
  /** The name of the session in the ids of its events. */
  readonly alias: string
  /** Place in the log of changes at which the session began, where several processes use it. */
  readonly changes?: string
  /** The messages that restore the session when they are replayed in order. */
  readonly messages: readonly (RequestMessage | NotificationMessage)[]
}

/** A change of a session. Changes of different keys can be made in any order; of one key the last one counts. */
export interface SessionChange {
  /** Name of the part of the state, such as one subscription. */
  readonly key: string
  /** Message that restores this part; undefined removes the part. */
  readonly message: RequestMessage | NotificationMessage | undefined
}

/** A session and its version. */
export interface VersionedSession {
  readonly record: SessionRecord
  readonly version: number
}

/**
 * Stores sessions for several processes. Records are saved when they change, not when they are used, so a store that
 * expires them should keep them for days. The optional members are for processes that use one session at the same time; a
 * store that has one of them has all.
 */
export interface SessionStore {
  /** Stores a record, replacing the previous one. */
  save(id: string, record: SessionRecord): void | Promise<void>
  load(id: string): SessionRecord | undefined | Promise<SessionRecord | undefined>
  drop(id: string): void | Promise<void>
  /**
   * Changes a session that is there: its messages are those of the record, and then one per key in order of appearance.
   * Returns the new version; undefined if there is no session, which a change never brings back.
   */
  change?(id: string, change: SessionChange): number | undefined | Promise<number | undefined>
  /** Version of a session, which grows with every change and save; undefined if there is no session. */
  version?(id: string): number | undefined | Promise<number | undefined>
  /** Loads a session together with its version. */
  read?(id: string): VersionedSession | undefined | Promise<VersionedSession | undefined>
}
