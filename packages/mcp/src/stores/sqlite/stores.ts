import { McpError } from '../../wire/errors.ts'
import { type KnownOptions, refuseUnknownOptions } from '../../wire/known-options.ts'
import { resolveKnownLimits } from '../../wire/resolve-limits.ts'
import type { EffectStore } from '../effect-store.ts'
import type { EventStore } from '../event-store.ts'
import type { SessionStore } from '../session-store.ts'
import type { TaskStore } from '../task-store.ts'
import { SqliteEffectStore } from './effect-store.ts'
import { SqliteEventStore } from './event-store.ts'
import { SqliteSessionStore } from './session-store.ts'
import type { SqliteDatabase } from './sqlite-database.ts'
import { SqliteFile } from './sqlite-file.ts'
import { steps } from './sqlite-tables.ts'
import { SqliteTaskStore } from './task-store.ts'

/** Limits of a file. */
export interface SqliteLimits {
  /** Bytes of the file; a write beyond it fails as on a full disk. @default 1_073_741_824 (1 GiB) */
  readonly maxFileBytes?: number
  /** Sessions kept; beyond that those go first that were not used for longest. @default 10_000 */
  readonly maxSessions?: number
  /** Time that an unused session is kept. @default 604_800_000 (7 days) */
  readonly maxSessionAgeMs?: number
  /** Events of one stream. @default 1_000 */
  readonly maxEventsPerStream?: number
  /** Characters of one stream. @default 1_048_576 */
  readonly maxEventCharsPerStream?: number
  /** Characters of all streams together. @default 67_108_864 */
  readonly maxEventChars?: number
  /** Time that a stream is kept on which nothing is sent. @default 86_400_000 (1 day) */
  readonly maxEventAgeMs?: number
}

/** The limits of a file where none are given. */
export const sqliteLimits = {
  maxFileBytes: 1_073_741_824,
  maxSessions: 10_000,
  maxSessionAgeMs: 604_800_000,
  maxEventsPerStream: 1_000,
  maxEventCharsPerStream: 1_048_576,
  maxEventChars: 67_108_864,
  maxEventAgeMs: 86_400_000,
} as const satisfies SqliteLimits

/** Options for opening a file. */
export interface SqliteOptions {
  /** Time to wait for a process that still uses the file, such as one that is being replaced. @default 5_000 */
  readonly lockWaitMs?: number
  readonly limits?: SqliteLimits
}

/** State that a server must not forget, in one file; one process at a time uses it. */
export interface SqliteStores extends AsyncDisposable {
  /** For `tasks({ store })`. */
  readonly tasks: Required<TaskStore>
  /** For `sessions.store` of `serve()`. */
  readonly sessions: Required<SessionStore>
  /** For `sessions.events` of `serve()`. */
  readonly events: Required<EventStore>
  /** For `effects` of `server()`. */
  readonly effects: Required<EffectStore>
  /** Closes the file; call it after closing the server. */
  close(): Promise<void>
}

/** Opens a file, or makes it, and brings its tables up to date; an error with the code `Store` says what to do when that cannot be. */
export function sqliteStores(path: string, options: SqliteOptions = {}): SqliteStores {
  refuseUnknownOptions('Cannot open a store', options, knownOptions)
  const { lockWaitMs = 5_000 } = options
  if (!Number.isSafeInteger(lockWaitMs) || lockWaitMs < 0)
    throw new McpError('Misuse', `Cannot use "lockWaitMs": ${String(lockWaitMs)} is not a whole number of milliseconds`)
  if (typeof path !== 'string' || path === '' || path === ':memory:')
    throw new McpError('Misuse', 'Cannot open a store: give the path of a file')
  const limits = resolveKnownLimits(sqliteLimits, options.limits)
  const file = new SqliteFile(path, { maxBytes: limits.maxFileBytes, lockWaitMs, steps })
  return {
    tasks: new SqliteTaskStore(file),
    sessions: new SqliteSessionStore(file, limits),
    events: new SqliteEventStore(file, limits),
    effects: new SqliteEffectStore(file),
    close: () => file.close(),
    [Symbol.asyncDispose]: () => file.close(),
  }
}

/**
 * Tasks in a database that is open already and has the tables of {@link sqliteTaskSteps}. Servers that share a database are
 * told apart by a name: each finds and resumes its own tasks, and a principal has one limit for all of them.
 */
export function sqliteTasks(database: SqliteDatabase, server = ''): Required<TaskStore> {
  return new SqliteTaskStore(database, server)
}

const knownOptions = { lockWaitMs: true, limits: true } as const satisfies KnownOptions<SqliteOptions>
