import { type EffectStore, type Limiter, McpError } from '@trunkline/mcp'
import type { EventStore, SessionStore } from '@trunkline/mcp/http'
import type { TaskStore } from '@trunkline/mcp/tasks'
import { Database } from './database.ts'
import { openPool, type PgPool } from './driver.ts'
import { PostgresEffectStore } from './effect-store.ts'
import { PostgresEventStore } from './event-store.ts'
import { PostgresLimiter } from './limiter.ts'
import { migrate } from './migrate.ts'
import { PostgresSessionStore } from './session-store.ts'
import { Sweeper } from './sweeper.ts'
import { PostgresTaskStore } from './task-store.ts'

/** Options of {@link postgresStores}. */
export interface PostgresOptions {
  /** Schema of the tables, which is created if it is missing; servers with the same one share what they store. @default 'trunkline' */
  readonly schema?: string
  /** Connections of this process. @default 4 */
  readonly poolSize?: number
  /** Milliseconds that one statement may take; after that its outcome is unknown. @default 5_000 */
  readonly deadlineMs?: number
  /** Events of one stream; the oldest are dropped. @default 1_000 */
  readonly maxEventsPerStream?: number
  /** Milliseconds after which an unused session is deleted. @default 604_800_000 (7 days) */
  readonly maxSessionAgeMs?: number
  /** Milliseconds after which a stream without new events is deleted. @default 86_400_000 (1 day) */
  readonly maxEventAgeMs?: number
}

const defaults = {
  schema: 'trunkline',
  poolSize: 4,
  deadlineMs: 5_000,
  maxEventsPerStream: 1_000,
  maxSessionAgeMs: 604_800_000,
  maxEventAgeMs: 86_400_000,
} as const satisfies PostgresOptions

/** State of servers in PostgreSQL, which several processes share. */
export interface PostgresStores extends AsyncDisposable {
  readonly tasks: Required<TaskStore>
  readonly sessions: Required<SessionStore>
  readonly events: Required<EventStore>
  readonly effects: Required<EffectStore>
  readonly limiter: Limiter
  /** Closes the connections; call it after closing the server. A pool that was given stays open. */
  close(): Promise<void>
}

/** Opens stores at an address or on a pool, and brings the tables up to date; an error with the code `Store` says what to do. */
export async function postgresStores(target: string | PgPool, options: PostgresOptions = {}): Promise<PostgresStores> {
  const { schema: name, poolSize, deadlineMs, maxEventsPerStream, ...ages } = { ...defaults, ...options }
  const schema = quoted(name)
  const isOwn = typeof target === 'string'
  const pool = isOwn ? await openPool(target, poolSize, deadlineMs) : target
  // a connection that breaks while it is idle is replaced by the pool
  if (isOwn) pool.on('error', () => {})
  const database = new Database(pool, deadlineMs)
  const close = async (): Promise<void> => {
    if (isOwn) await database.close()
  }
  try {
    await assertUsable(database)
    await migrate(database, schema)
  } catch (error) {
    await close()
    throw error
  }
  const sweeper = new Sweeper(database, [
    { table: `${schema}.session`, column: 'used_at', ageMs: ages.maxSessionAgeMs },
    { table: `${schema}.stream`, column: 'written_at', ageMs: ages.maxEventAgeMs },
    { table: `${schema}.task`, column: 'expires_at', ageMs: 0 },
    { table: `${schema}.effect`, column: 'expires_at', ageMs: 0 },
    { table: `${schema}.rate`, column: 'used_until', ageMs: 0 },
  ])
  return {
    tasks: new PostgresTaskStore(database, schema, sweeper),
    sessions: new PostgresSessionStore(database, schema, sweeper),
    events: new PostgresEventStore(database, schema, maxEventsPerStream),
    effects: new PostgresEffectStore(database, schema, sweeper),
    limiter: new PostgresLimiter(database, schema, sweeper),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** A name as an identifier of SQL. */
function quoted(schema: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) return schema
  throw new McpError(
    'Misuse',
    `Cannot use schema ${JSON.stringify(schema)}: give a name of at most 63 small letters, digits and "_" that does not begin with a digit`,
  )
}

const oldestRelease = 140_000

/** Refuses a server that is too old, or that may lose what it has confirmed. */
async function assertUsable(database: Database): Promise<void> {
  const { rows } = await database.query(
    `SELECT current_setting('server_version_num')::int AS release, current_setting('server_version') AS shown,
       current_setting('synchronous_commit') AS synchronous`,
  )
  const { release, shown, synchronous } = rows[0] ?? {}
  if (Number(release) < oldestRelease)
    throw new McpError('Store', `Cannot use PostgreSQL ${String(shown)}: it takes version 14 or newer`)
  if (synchronous === 'off')
    throw new McpError(
      'Store',
      'Cannot use PostgreSQL: synchronous_commit is off, so that it may lose what it has confirmed; turn it on for this user or database',
    )
}
