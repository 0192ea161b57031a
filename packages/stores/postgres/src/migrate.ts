import { McpError } from '@trunkline/mcp'
import type { Database, Transaction } from './database.ts'
import { stepsIn } from './tables.ts'

/** "Trkm": the lock under which one process brings the tables up to date. */
const lockId = 0x54726b6d
const lock = `SELECT pg_advisory_xact_lock(${lockId})`
/** Processes that start at the same time wait for the first one. */
const longestMs = 60_000

/** State of the tables of a schema. */
interface Found {
  readonly hasSchema: boolean
  /** Number of the last step; 0 if there are no tables. */
  readonly last: number
  /** Number of the oldest step whose versions still work with these tables. */
  readonly oldestReader: number
}

/** Brings the tables of a schema to the newest step; what is up to date already takes no right to change it. */
export async function migrate(database: Database, schema: string): Promise<void> {
  if (isEnough(await find(database, schema), schema)) return
  await database.transaction(async (client) => {
    await client.query(lock)
    const found = await find(client, schema)
    if (!isEnough(found, schema)) await client.query(missingSql(found, schema))
  }, longestMs)
}

/** Refuses a schema that is not at the newest step, with the SQL that brings it there. */
export async function assertMigrated(database: Database, schema: string): Promise<void> {
  const found = await find(database, schema)
  if (isEnough(found, schema)) return
  const { rows } = await database.query('SELECT quote_ident(current_user) AS name')
  const user = String(rows[0]?.name)
  const sql = ['BEGIN', lock, missingSql(found, schema), ...grants(schema, user), 'COMMIT'].join(';\n')
  const missing = `steps ${found.last + 1} to ${stepsIn(schema).length} are missing`
  throw new McpError(
    'Store',
    `Cannot use schema ${schema}: ${missing}; run this as its owner, and start again:\n${sql};`,
  )
}

/** True if nothing is missing; tables that a newer version made are used while they suit this one. */
function isEnough({ last, oldestReader }: Found, schema: string): boolean {
  const known = stepsIn(schema).length
  if (oldestReader <= known) return last >= known
  const detail = `its tables are at step ${last} and take version ${oldestReader} or newer of them, and this one knows ${known}`
  const fix = 'update @trunkline/postgres, or give another "schema"'
  throw new McpError('Store', `Cannot use schema ${schema}: a newer version made it (${detail}); ${fix}`)
}

async function find(client: Transaction, schema: string): Promise<Found> {
  // by rows and not by "to_regclass", which may not know what another process made while this one waited for the lock
  const { rows } = await client.query(
    `SELECT true AS has_schema, EXISTS (
       SELECT FROM pg_class WHERE relnamespace = pg_namespace.oid AND relname = 'step') AS has_steps
     FROM pg_namespace WHERE nspname = $1`,
    [schema],
  )
  const hasSchema = rows[0]?.has_schema === true
  if (rows[0]?.has_steps !== true) return { hasSchema, last: 0, oldestReader: 0 }
  // as JSON, because the first step has no such column
  const steps = await client.query(
    `SELECT max(number) AS last, max((to_jsonb(step) ->> 'oldest_reader')::int) AS oldest FROM ${schema}.step`,
  )
  const { last, oldest } = steps.rows[0] ?? {}
  return { hasSchema, last: Number(last ?? 0), oldestReader: Number(oldest ?? 0) }
}

function missingSql({ hasSchema, last }: Found, schema: string): string {
  const steps = stepsIn(schema).map(({ sql, oldestReader }, index) => {
    const number = index + 1
    // the first step has no column for the oldest reader
    const row = number === 1 ? `(number) VALUES (1)` : `(number, oldest_reader) VALUES (${number}, ${oldestReader})`
    return `${sql};\nINSERT INTO ${schema}.step ${row}`
  })
  return [
    // a user without the right to create a schema may have one
    ...(hasSchema ? [] : [`CREATE SCHEMA ${schema}`]),
    ...(last > 0 ? [] : [`CREATE TABLE IF NOT EXISTS ${schema}.step (number integer PRIMARY KEY)`]),
    ...steps.slice(last),
  ].join(';\n')
}

function grants(schema: string, user: string): readonly string[] {
  return [
    `GRANT USAGE ON SCHEMA ${schema} TO ${user}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${user}`,
    `GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${user}`,
  ]
}
