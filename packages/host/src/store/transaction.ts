import type { DatabaseSync } from 'node:sqlite'

/** Runs some work in one transaction of its own, at once; takes all of it back when it throws. */
export function runInTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    try {
      database.exec('ROLLBACK')
    } catch {
      // some failures end the transaction by themselves
    }
    throw error
  }
}
