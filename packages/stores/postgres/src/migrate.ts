import { McpError } from '@trunkline/mcp'
import type { Database } from './database.ts'
import { stepsIn } from './tables.ts'

/** "Trkm": the lock under which one process brings the tables up to date. */
const lockId = 0x54726b6d

/** Brings the tables of a schema to the newest step; processes that start at the same time wait for the first one. */
export async function migrate(database: Database, schema: string): Promise<void> {
  const steps = stepsIn(schema)
  await database.transaction(async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [lockId])
    // a user without the right to create a schema may have one
    const { rows: schemas } = await client.query('SELECT 1 FROM pg_namespace WHERE quote_ident(nspname) = $1', [schema])
    if (schemas.length === 0) await client.query(`CREATE SCHEMA ${schema}`)
    await client.query(`CREATE TABLE IF NOT EXISTS ${schema}.step (number integer PRIMARY KEY)`)
    const { rows } = await client.query(`SELECT coalesce(max(number), 0) AS found FROM ${schema}.step`)
    const found = Number(rows[0]?.found)
    if (found > steps.length) {
      const detail = `its tables are at step ${found}, and this version knows ${steps.length}`
      const fix = 'update @trunkline/postgres, or give another "schema"'
      throw new McpError('Store', `Cannot use schema ${schema}: a newer version made it (${detail}); ${fix}`)
    }
    for (const [index, sql] of steps.entries()) {
      if (index < found) continue
      await client.query(sql)
      await client.query(`INSERT INTO ${schema}.step VALUES ($1)`, [index + 1])
    }
  })
}
