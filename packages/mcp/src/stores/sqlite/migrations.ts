import type { DatabaseSync } from 'node:sqlite'
import { applySteps, makerOf } from '@trunkline/base/migrations'
import { McpError } from '../../wire/errors.ts'

/** "TrkM": a SQLite file without it was made by another program. */
const applicationId = 0x54726b4d

/** Brings the tables to the newest step, each step in one transaction; a step that was released never changes. */
export function migrate(database: DatabaseSync, path: string, steps: readonly string[]): void {
  assertOurs(database, path)
  const found = Number(database.prepare('PRAGMA user_version').get()?.user_version)
  if (found > steps.length) {
    const detail = `its tables are at step ${found}, and this version knows ${steps.length}`
    const fix = 'update @trunkline/mcp, or move the file away to start empty'
    throw new McpError('Store', `Cannot use "${path}": a newer version wrote it (${detail}); ${fix}`)
  }
  const note = (step: number) =>
    database.exec(`PRAGMA user_version = ${step}; PRAGMA application_id = ${applicationId}`)
  applySteps(database, { steps, applied: found, note })
}

/** Takes an empty file; refuses the database of another program, and does not touch it. */
function assertOurs(database: DatabaseSync, path: string): void {
  if (makerOf(database, applicationId) !== 'another') return
  throw new McpError('Store', `Cannot use "${path}": it is the database of another program; give this one another file`)
}
