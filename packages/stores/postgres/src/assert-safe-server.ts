import { McpError } from '@trunkline/mcp'
import type { Database } from './database.ts'

const oldestRelease = 140_000

/** Refuses a server that is too old, takes no writes, or may lose what it has confirmed. */
export async function assertSafeServer(database: Database): Promise<void> {
  const { rows } = await database.query(
    `SELECT current_setting('server_version_num')::int AS release, current_setting('server_version') AS shown,
       current_setting('synchronous_commit') AS synchronous, pg_is_in_recovery() AS is_standby`,
  )
  const { release, shown, synchronous, is_standby } = rows[0] ?? {}
  if (Number(release) < oldestRelease) throw refusal(`version ${shown} is too old; give PostgreSQL 14 or newer`)
  if (is_standby === true) throw refusal('it is a standby, which takes no writes; give the address of the primary')
  if (synchronous === 'off')
    throw refusal(
      'synchronous_commit is off, so that it may lose what it has confirmed; turn it on for this user or database',
    )
}

function refusal(reason: string): McpError {
  return new McpError('Store', `Cannot use PostgreSQL: ${reason}`)
}
