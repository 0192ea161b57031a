import type { DatabaseSync } from 'node:sqlite'

/** Runs some work in one transaction of its own, at once; takes all of it back when it throws. */
export function runInTransaction<Value>(database: DatabaseSync, work: () => Value): Value {
  database.exec('BEGIN IMMEDIATE')
  try {
    const value = work()
    database.exec('COMMIT')
    return value
  } catch (error) {
    // a full disk ends the transaction by itself
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Maker of a database by the number that programs write into theirs: this one, none yet, or another. */
export function makerOf(database: DatabaseSync, applicationId: number): 'ours' | 'none' | 'another' {
  const row = database.prepare('PRAGMA application_id').get()
  if (Number(row?.application_id) === applicationId) return 'ours'
  return database.prepare('SELECT name FROM sqlite_schema LIMIT 1').get() === undefined ? 'none' : 'another'
}

/** Steps that lead to the tables of today, and how far a database has come. */
export interface PendingSteps {
  /** SQL of one or more statements each; the first is number 1, and one that was released never changes. */
  readonly steps: readonly string[]
  /** Number of the newest step that the database has. */
  readonly applied: number
  /** Notes in the database that it has a step. */
  note(step: number): void
}

/** Brings tables to their newest step, each step and its note in one transaction. */
export function applySteps(database: DatabaseSync, { steps, applied, note }: PendingSteps): void {
  for (const [index, sql] of steps.entries()) {
    if (index < applied) continue
    runInTransaction(database, () => {
      database.exec(sql)
      note(index + 1)
    })
  }
}
