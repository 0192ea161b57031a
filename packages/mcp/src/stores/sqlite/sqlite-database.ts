import type { StatementSync } from 'node:sqlite'

/** A SQLite database that is open: its statements, and how writes are kept. Its foreign keys are on. */
export interface SqliteDatabase {
  /** Prepares a statement for {@link use}. */
  prepare(sql: string): StatementSync
  /** Runs statements; the end of this process does not undo them. */
  use<Value>(work: () => Value): Value
  /** Like {@link use}, all or nothing; also inside {@link durable}. */
  transaction<Value>(work: () => Value): Value
  /** Like {@link use}, and resolves when it would survive a power failure. */
  durable<Value>(work: () => Value): Promise<Value>
}
