/** A SQLite database that is open: its statements, and how writes are kept. Its foreign keys are on. */
export interface SqliteDatabase {
  /** Prepares a statement for {@link use}. */
  prepare(sql: string): SqliteStatement
  /** Runs statements; the end of this process does not undo them. */
  use<Value>(work: () => Value): Value
  /** Like {@link use}, all or nothing; also inside {@link durable}. */
  transaction<Value>(work: () => Value): Value
  /** Like {@link use}, and resolves when it would survive a power failure. */
  durable<Value>(work: () => Value): Promise<Value>
}

/** A prepared statement, such as one of `node:sqlite`, whose types only Node has. */
export interface SqliteStatement {
  all(...values: SqliteValue[]): SqliteRow[]
  all(named: SqliteNamedValues, ...values: SqliteValue[]): SqliteRow[]
  get(...values: SqliteValue[]): SqliteRow | undefined
  get(named: SqliteNamedValues, ...values: SqliteValue[]): SqliteRow | undefined
  run(...values: SqliteValue[]): { changes: number | bigint }
  run(named: SqliteNamedValues, ...values: SqliteValue[]): { changes: number | bigint }
}

/** A value that a statement takes. */
export type SqliteValue = null | number | bigint | string | Uint8Array

/** Values by the names of parameters. */
export type SqliteNamedValues = Record<string, SqliteValue>

/** A row by the names of its columns. */
export type SqliteRow = Record<string, unknown>
