import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreError, storeError } from './errors.ts'
import { noteOwner, ownerOf, prepareFile } from './file.ts'
import { GroupCommit } from './group-commit.ts'
import { type Migrations, migrate } from './migrations.ts'

/** Options to open the store. */
export interface StoreOptions {
  /** Path of the file; it and its folder are made when missing. */
  readonly path: string
  /** The tables that will be used. */
  readonly rooms: readonly Migrations[]
  /**
   * Largest size of the file; a write beyond it fails as on a full disk.
   * @default 4 GiB
   */
  readonly maxBytes?: number
}

/**
 * Pages of the log at which it is copied into the file: 4 MiB. All calls wait meanwhile: with four times as many, the
 * slowest hundredth of calls takes almost twice as long, and a call costs the same.
 */
const checkpointPages = 1_024

const defaults = { maxBytes: 4 * 1024 ** 3 } as const satisfies Partial<StoreOptions>

/** The database of everything the host must remember; one process at a time uses it. */
export interface Store extends AsyncDisposable {
  readonly path: string
  /** For the statements in `tables/`; what writes is called inside `batch` or `durable`. */
  readonly database: DatabaseSync
  /** Writes now; resolves when this turn of the event loop is committed, so that the end of the process loses nothing. */
  batch(write: () => void): Promise<void>
  /** Like `batch`, but writes at the end of the turn: for items that are collected meanwhile. */
  atEnd(write: () => void): Promise<void>
  /** Like `batch`, and the disk has it, so that a power failure loses nothing: for decisions of a person. */
  durable(write: () => void): Promise<void>
  /** False once the file was deleted or replaced by another one; later writes are lost. */
  isInPlace(): boolean
  /** The damage found by reading all of the file, one sentence each. */
  check(): readonly string[]
  /** Commits the open transaction and closes the file. */
  close(): Promise<void>
}

/** Opens the store and brings its tables up to date; a `StoreError` says what to do when that cannot be. */
export function openStore(options: StoreOptions): Store {
  const path = resolve(options.path)
  try {
    prepareFile(path)
    const database = new DatabaseSync(path)
    try {
      setUp(database, options.maxBytes ?? defaults.maxBytes)
      migrate(database, path, options.rooms)
      noteOwner(path)
      return new OpenStore(path, database)
    } catch (error) {
      database.close()
      throw error
    }
  } catch (error) {
    throw storeError(error, path, ownerOf(path))
  }
}

/** The exclusive lock is held until the file is closed: two hosts on one file would each miss the other's decisions. */
function setUp(database: DatabaseSync, maxBytes: number): void {
  database.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL')
  database.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF')
  // pages that many writes share are copied once for all of them
  database.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`)
  database.exec(`PRAGMA journal_size_limit = ${64 * 1024 ** 2}`)
  const { page_size: pageSize } = database.prepare('PRAGMA page_size').get() as { page_size: number }
  database.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxBytes / pageSize))}`)
  // the first write takes the lock, and must not be one that a caller waits for
  database.exec('BEGIN IMMEDIATE; COMMIT')
}

class OpenStore implements Store {
  readonly path: string
  readonly database: DatabaseSync
  readonly #commits: GroupCommit
  #closed = false
  readonly #file: string | undefined

  constructor(path: string, database: DatabaseSync) {
    this.path = path
    this.database = database
    this.#file = fileAt(path)
    this.#commits = new GroupCommit(database, {
      sync: () => syncFile(`${path}-wal`),
      explain: (error) => storeError(error, path),
    })
  }

  batch(write: () => void): Promise<void> {
    return this.#closed ? this.#refuse() : this.#commits.batch(write)
  }

  atEnd(write: () => void): Promise<void> {
    return this.#closed ? this.#refuse() : this.#commits.atEnd(write)
  }

  durable(write: () => void): Promise<void> {
    return this.#closed ? this.#refuse() : this.#commits.durable(write)
  }

  isInPlace(): boolean {
    return fileAt(this.path) === this.#file
  }

  check(): readonly string[] {
    try {
      const rows = this.database.prepare('PRAGMA integrity_check').all()
      return rows.map((row) => String(row.integrity_check)).filter((line) => line !== 'ok')
    } catch (error) {
      return [(error as Error).message]
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#commits.flush()
    this.database.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #refuse(): Promise<never> {
    return Promise.reject(new StoreError('Closed', `Cannot write "${this.path}": the store is closed`))
  }
}

/** The database itself must not be opened a second time here: closing it would give up the lock. */
async function syncFile(path: string): Promise<void> {
  try {
    await using file = await open(path, 'r+')
    await file.datasync()
  } catch (error) {
    // the log is gone when the store was closed meanwhile, and closing puts all of it on the disk
    if ((error as { code?: unknown }).code !== 'ENOENT') throw error
  }
}

/** Identifies the file at a path; undefined where there is none. */
function fileAt(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino}`
}
