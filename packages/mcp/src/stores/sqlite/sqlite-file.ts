import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { runInTransaction } from '@trunkline/base/migrations'
import { McpError } from '../../wire/errors.ts'
import { DiskSync } from './disk-sync.ts'
import { loadSqlite } from './load-sqlite.ts'
import { migrate } from './migrations.ts'
import type { SqliteDatabase } from './sqlite-database.ts'
import { storeError } from './store-error.ts'

export interface SqliteFileOptions {
  readonly maxBytes: number
  /** Time to wait for another process to close the file. */
  readonly lockWaitMs: number
  /** The SQL of each step that leads to the tables of today. */
  readonly steps: readonly string[]
}

/** One SQLite file that this process alone uses. */
export class SqliteFile implements SqliteDatabase {
  readonly path: string
  readonly #database: DatabaseSync
  readonly #disk: DiskSync
  #isClosed = false

  /** Opens the file, or makes it; throws an error that says what to do when that cannot be. */
  constructor(path: string, options: SqliteFileOptions) {
    const { DatabaseSync } = loadSqlite()
    this.path = path
    this.#disk = new DiskSync(`${path}-wal`)
    this.#database = this.#explained(() => {
      prepareFile(path)
      const database = new DatabaseSync(path)
      try {
        setUp(database, options)
        migrate(database, path, options.steps)
        return database
      } catch (error) {
        database.close()
        throw error
      }
    })
  }

  /** Prepares a statement for {@link use}. */
  prepare(sql: string): StatementSync {
    return this.#database.prepare(sql)
  }

  /** Runs statements; each is committed when it returns, which the end of this process cannot undo. */
  use<Value>(work: () => Value): Value {
    if (this.#isClosed) throw new McpError('Closed', `Cannot use "${this.path}": the store is closed`)
    return this.#explained(work)
  }

  /** Like {@link use}, all or nothing. */
  transaction<Value>(work: () => Value): Value {
    return this.use(() => runInTransaction(this.#database, work))
  }

  /** Like {@link use}, and resolves when it would survive a power failure. */
  async durable<Value>(work: () => Value): Promise<Value> {
    const value = this.use(work)
    await this.#disk.synced().catch((error) => {
      throw storeError(error, this.path)
    })
    return value
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#disk.close()
    this.#database.close()
  }

  #explained<Value>(work: () => Value): Value {
    try {
      return work()
    } catch (error) {
      throw storeError(error, this.path)
    }
  }
}

/** Makes the folder and an empty file where there is none; only its owner can read what callers sent. */
function prepareFile(path: string): void {
  if (!existsSync(dirname(path))) mkdirSync(dirname(path), { mode: 0o700 })
  if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600))
  // SQLite would open a file for reading only, and fail later
  for (const needed of [path, dirname(path)]) accessSync(needed, constants.W_OK)
}

/** The lock is kept until the file is closed: two processes would both take up the tasks of a third. */
function setUp(database: DatabaseSync, { maxBytes, lockWaitMs }: SqliteFileOptions): void {
  database.exec(`PRAGMA busy_timeout = ${lockWaitMs}; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL`)
  database.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF')
  database.exec(`PRAGMA journal_size_limit = ${64 * 1024 ** 2}`)
  const { page_size: pageSize } = database.prepare('PRAGMA page_size').get() as { page_size: number }
  // SQLite takes no number above this one
  const pages = Math.min(Math.max(1, Math.floor(maxBytes / pageSize)), 0xfffffffe)
  database.exec(`PRAGMA max_page_count = ${pages}`)
  // the lock is taken by the first write, which must not be the first that a caller waits for
  database.exec('BEGIN IMMEDIATE; COMMIT')
}
