import { McpError } from '@trunkline/mcp'
import type { ClusterStores } from '@trunkline/mcp/http'
import { assertSafeServer } from './assert-safe-server.ts'
import { PostgresBell } from './bell.ts'
import { Database } from './database.ts'
import { openPool, type PgPool } from './driver.ts'
import { PostgresEffectStore } from './effect-store.ts'
import { PostgresEventStore } from './event-store.ts'
import { PostgresInbox } from './inbox.ts'
import { PostgresLimiter } from './limiter.ts'
import { assertMigrated, migrate } from './migrate.ts'
import { PostgresPresence } from './presence.ts'
import { PostgresProofIds } from './proof-ids.ts'
import { PostgresSessionStore } from './session-store.ts'
import { Sweeper } from './sweeper.ts'
import { PostgresTaskStore } from './task-store.ts'

/** A process that lapsed may come back: its inbox is kept for so long. */
const deadProcessAgeMs = 3_600_000

const withoutBell =
  'Notifications of PostgreSQL do not arrive, as behind a pooler that gives each transaction another connection: what other processes store is found by polling alone; give the address of the server, or a pooler in session mode'

/** Options of {@link postgresStores}. */
export interface PostgresOptions {
  /** Schema of the tables, which is created if it is missing; servers with the same one share what they store. @default 'trunkline' */
  readonly schema?: string
  /** False for a user without the right to create tables: what is missing is refused, with the SQL that makes it. @default true */
  readonly migrate?: boolean
  /** Connections of this process, beside the one that listens. @default 4 */
  readonly poolSize?: number
  /** Options of Node's TLS, such as `ca`; the address can turn TLS on by `sslmode`. @default what the address says */
  readonly tls?: object
  /** Called with what limits the stores, but does not stop them. @default `console.warn` */
  readonly onWarning?: (message: string) => void
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
  migrate: true,
  poolSize: 4,
  onWarning: (message: string) => console.warn(message),
  deadlineMs: 5_000,
  maxEventsPerStream: 1_000,
  maxSessionAgeMs: 604_800_000,
  maxEventAgeMs: 86_400_000,
} as const satisfies PostgresOptions

/** State of a server in PostgreSQL, which all its processes share. */
export interface PostgresStores extends Required<ClusterStores>, AsyncDisposable {
  /** Closes the connections; call it after closing the server. A pool that was given stays open. */
  close(): Promise<void>
}

/** Opens stores at an address or on a pool, and brings the tables up to date; an error with the code `Store` says what to do. */
export async function postgresStores(target: string | PgPool, options: PostgresOptions = {}): Promise<PostgresStores> {
  const { schema: name, poolSize, deadlineMs, tls, ...rest } = { ...defaults, ...options }
  const schema = quoted(name)
  const isOwn = typeof target === 'string'
  const pool = isOwn ? await openPool(target, { max: poolSize + 1, deadlineMs, tls }) : target
  // a connection that breaks while it is idle is replaced by the pool
  if (isOwn) pool.on('error', () => {})
  const database = new Database(pool, deadlineMs)
  const bell = new PostgresBell(database, channelOf(schema))
  try {
    await assertSafeServer(database)
    await (rest.migrate ? migrate : assertMigrated)(database, schema)
    if (!(await bell.open())) rest.onWarning(withoutBell)
  } catch (error) {
    bell.close()
    database.close()
    if (isOwn) await pool.end()
    throw error
  }
  return storesIn(schema, { database, bell, end: async () => void (isOwn && (await pool.end())), ...rest })
}

interface Opened extends Required<Pick<PostgresOptions, 'maxEventsPerStream' | 'maxSessionAgeMs' | 'maxEventAgeMs'>> {
  readonly database: Database
  readonly bell: PostgresBell
  /** Ends the pool, unless it was given. */
  end(): Promise<void>
}

function storesIn(schema: string, { database, bell, end, maxEventsPerStream, ...ages }: Opened): PostgresStores {
  const sweeper = new Sweeper(database, [
    { table: `${schema}.session`, column: 'used_at', ageMs: ages.maxSessionAgeMs },
    { table: `${schema}.stream`, column: 'written_at', ageMs: ages.maxEventAgeMs },
    { table: `${schema}.task`, column: 'expires_at', ageMs: 0 },
    { table: `${schema}.effect`, column: 'expires_at', ageMs: 0 },
    { table: `${schema}.rate`, column: 'used_until', ageMs: 0 },
    { table: `${schema}.proof`, column: 'used_until', ageMs: 0 },
    { table: `${schema}.process`, column: 'lease_until', ageMs: deadProcessAgeMs },
  ])
  const close = async (): Promise<void> => {
    bell.close()
    database.close()
    await sweeper.over()
    await end()
  }
  return {
    engine: 'PostgreSQL',
    tasks: new PostgresTaskStore(database, schema, sweeper),
    sessions: new PostgresSessionStore(database, schema, sweeper),
    events: new PostgresEventStore(database, schema, maxEventsPerStream),
    effects: new PostgresEffectStore(database, schema, sweeper),
    limiter: new PostgresLimiter(database, schema, sweeper),
    proofs: new PostgresProofIds(database, schema, sweeper),
    presence: new PostgresPresence(database, schema),
    inbox: new PostgresInbox(database, schema, channelOf(schema)),
    bell,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Name of the notifications of a schema. */
function channelOf(schema: string): string {
  return `trunkline_${schema}`
}

/** A name as an identifier of SQL. */
function quoted(schema: string): string {
  if (/^[a-z_][a-z0-9_]{0,52}$/.test(schema)) return schema
  throw new McpError(
    'Misuse',
    `Cannot use schema ${JSON.stringify(schema)}: give a name of at most 53 small letters, digits and "_" that does not begin with a digit`,
  )
}
