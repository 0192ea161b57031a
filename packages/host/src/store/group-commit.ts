import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** Writes of one turn of the event loop, and the promise of their commit. */
interface Turn {
  readonly committed: Promise<void>
  settle(): void
  fail(error: unknown): void
  /** Writes at the end of the turn. */
  readonly last: (() => void)[]
  /** Set by the first write that must also survive a power failure. */
  synced?: Promise<void>
}

/** Dependencies of a group commit besides the database. */
export interface GroupCommitOptions {
  /** Syncs the commits to the disk. */
  sync(): Promise<void>
  /** Turns an error of SQLite into the one for the waiting callers. */
  explain(error: unknown): unknown
}

/** Commits the writes of one turn of the event loop together; the answers of that turn wait for it. */
export class GroupCommit {
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  readonly #rollback: StatementSync
  readonly #save: StatementSync
  readonly #release: StatementSync
  readonly #undo: StatementSync
  readonly #options: GroupCommitOptions
  #turn: Turn | undefined

  constructor(database: DatabaseSync, options: GroupCommitOptions) {
    this.#options = options
    this.#begin = database.prepare('BEGIN IMMEDIATE')
    this.#commit = database.prepare('COMMIT')
    this.#rollback = database.prepare('ROLLBACK')
    this.#save = database.prepare('SAVEPOINT one_write')
    this.#release = database.prepare('RELEASE one_write')
    this.#undo = database.prepare('ROLLBACK TO one_write')
  }

  /** Writes now; resolves when the turn is committed, that is, safe from the end of this process. */
  batch(write: () => void): Promise<void> {
    try {
      const turn = this.#openTurn()
      this.#save.run()
      this.#attempt(write)
      this.#release.run()
      return turn.committed
    } catch (error) {
      return Promise.reject(this.#options.explain(error))
    }
  }

  /** Writes at the end of the turn, after the immediate writes; resolves when the turn is committed. */
  atEnd(write: () => void): Promise<void> {
    try {
      const { last } = this.#openTurn()
      return new Promise((resolve) => last.push(() => resolve(this.batch(write))))
    } catch (error) {
      return Promise.reject(this.#options.explain(error))
    }
  }

  /** Writes now; resolves when the turn is on the disk, that is, safe from a power failure too. */
  durable(write: () => void): Promise<void> {
    const written = this.batch(write)
    const turn = this.#turn
    if (turn === undefined || turn.committed !== written) return written
    turn.synced ??= written.then(() => this.#options.sync())
    return turn.synced
  }

  /** Commits the open turn without waiting for its end. */
  flush(): void {
    const turn = this.#turn
    if (turn === undefined) return
    for (const write of turn.last) write()
    // a write that ended the transaction has ended the turn
    if (this.#turn !== turn) return
    this.#turn = undefined
    try {
      this.#commit.run()
      turn.settle()
    } catch (error) {
      this.#abandon()
      turn.fail(this.#options.explain(error))
    }
  }

  #openTurn(): Turn {
    if (this.#turn !== undefined) return this.#turn
    this.#begin.run()
    this.#turn = newTurn()
    setImmediate(() => this.flush())
    return this.#turn
  }

  /** Takes back a write that throws; when its failure ended the transaction, all writes of the turn fail with it. */
  #attempt(write: () => void): void {
    try {
      write()
    } catch (error) {
      try {
        this.#undo.run()
        this.#release.run()
      } catch {
        this.#turn?.fail(this.#options.explain(error))
        this.#turn = undefined
        this.#abandon()
      }
      throw error
    }
  }

  #abandon(): void {
    try {
      this.#rollback.run()
    } catch {
      // a full disk or a broken one has already ended the transaction
    }
  }
}

function newTurn(): Turn {
  let settle = () => {}
  let fail = (_error: unknown) => {}
  const committed = new Promise<void>((resolve, reject) => {
    settle = resolve
    fail = reject
  })
  // waiting callers see the failure; a turn without any must not end the process
  committed.catch(() => {})
  return { committed, settle, fail, last: [] }
}
