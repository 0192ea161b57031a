import type { DatabaseSync } from 'node:sqlite'
import { McpError } from '../../wire/errors.ts'
import { inTransaction } from './transaction.ts'

/** "TrkM": a SQLite file without it was made by another program. */
const applicationId = 0x54726b4d

/** Brings the tables to the newest step, each step in one transaction; a step that was released never changes. */
export function migrate(database: DatabaseSync, path: string, steps: readonly string[]): void {
  assertOurs(database, path)
  const found = pragma(database, 'user_version')
  if (found > steps.length) {
    const detail = `its tables are at step ${found}, and this version knows ${steps.length}`
    const fix = 'update @trunkline/mcp, or move the file away to start empty'
    throw new McpError('Store', `Cannot use "${path}": a newer version wrote it (${detail}); ${fix}`)
  }
  for (const [index, sql] of steps.entries()) {
    if (index < found) continue
    inTransaction(database, () =>
      database.exec(`${sql}; PRAGMA user_version = ${index + 1}; PRAGMA application_id = ${applicationId}`),
    )
  }
}

/** Takes an empty file; refuses the database of another program, and does not touch it. */
function assertOurs(database: DatabaseSync, path: string): void {
  if (pragma(database, 'application_id') === applicationId) return
  if (database.prepare('SELECT name FROM sqlite_schema LIMIT 1').get() === undefined) return
  throw new McpError('Store', `Cannot use "${path}": it is the database of another program; give this one another file`)
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name])
}
