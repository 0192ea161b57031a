import type {
  OwnedTask,
  StoredTask,
  TaskEntry,
  TaskLease,
  TaskOwner,
  TaskPlace,
  TaskStore,
  TaskUpdate,
} from '../task-store.ts'
import { ExpiredRows } from './expired-rows.ts'
import type { SqliteDatabase, SqliteStatement, SqliteValue } from './sqlite-database.ts'
import { optionalJson, toRow, toTask } from './task-row.ts'
import { taskStatements } from './task-statements.ts'

const expired = 'DELETE FROM task WHERE number IN (SELECT number FROM task WHERE expires_at <= ? LIMIT ?)'

/** Tasks of one server in a database: what a promise resolved for survives a kill of the process and a power failure. */
export class SqliteTaskStore implements TaskStore {
  readonly #file: SqliteDatabase
  readonly #server: string
  readonly #sql: ReturnType<typeof taskStatements>
  readonly #expired: ExpiredRows

  constructor(file: SqliteDatabase, server = '') {
    this.#file = file
    this.#server = server
    this.#sql = taskStatements(file)
    this.#expired = new ExpiredRows(file, expired)
  }

  create(task: StoredTask, mostOfPrincipal: number, entries: readonly TaskEntry[] = []): Promise<boolean> {
    return this.#create(task, { mostOfPrincipal, entries })
  }

  async createOwned(
    task: StoredTask,
    { mostOfPrincipal, entries = [], ...owner }: OwnedTask,
  ): Promise<TaskLease | undefined> {
    return (await this.#create(task, { mostOfPrincipal, entries, owner })) ? { fence: 1, version: 0 } : undefined
  }

  load(id: string): StoredTask | undefined {
    const row = this.#file.use(() => this.#sql.load.get(id, this.#server, Date.now()))
    return row && toTask(row)
  }

  async update(
    id: string,
    { updatedAt, status, statusMessage, outcome }: TaskUpdate,
    fence: number | null = null,
  ): Promise<boolean> {
    const news = { updatedAt, status: status ?? null, statusMessage: optionalJson(statusMessage) }
    const write = () => {
      const { changes } = this.#sql.update.run({
        ...{ id, server: this.#server, now: Date.now(), fence },
        ...{ ...news, outcome: optionalJson(outcome) },
      })
      return changes > 0
    }
    const tried = () => this.#expired.makingRoom(write)
    // what a task says of itself while it runs may be lost with the power
    return status === undefined ? this.#file.use(tried) : this.#file.durable(tried)
  }

  async write(id: string, entry: TaskEntry, fence: number | null = null): Promise<boolean> {
    const write = () => this.#enter(id, entry, fence)
    return this.#file.durable(() => this.#expired.makingRoom(() => this.#file.transaction(write)))
  }

  entries(id: string): readonly TaskEntry[] {
    const rows = this.#file.use(() => this.#sql.entries.all(id, this.#server, Date.now()))
    return rows.map(({ kind, key, value }) => ({
      kind: kind as TaskEntry['kind'],
      key: JSON.parse(key as string),
      value: JSON.parse(value as string),
    }))
  }

  list(principal: string | undefined, most: number, after?: TaskPlace): readonly StoredTask[] {
    return this.#page(this.#sql.list, [optionalJson(principal), this.#server, Date.now(), ...placeOf(after), most])
  }

  unfinished(most: number, after?: TaskPlace): readonly StoredTask[] {
    return this.#page(this.#sql.unfinished, [this.#server, Date.now(), ...placeOf(after), most])
  }

  async claim(id: string, { owner, leaseMs }: TaskOwner): Promise<TaskLease | undefined> {
    const now = Date.now()
    const lease = { id, server: this.#server, now, owner: JSON.stringify(owner), until: now + leaseMs }
    const row = await this.#file.durable(() => this.#sql.claim.get(lease))
    return row && { fence: row.fence as number, version: row.version as number }
  }

  renew(id: string, fence: number, leaseMs: number): number | undefined {
    const now = Date.now()
    return this.#file.use(() => this.#sql.renew.get({ id, server: this.#server, fence, now, until: now + leaseMs }))
      ?.version as number | undefined
  }

  async release(id: string, fence: number): Promise<boolean> {
    return this.#file.durable(() => this.#sql.release.run({ id, server: this.#server, fence }).changes > 0)
  }

  unowned(most: number, after?: TaskPlace): readonly StoredTask[] {
    return this.#page(this.#sql.unowned, [Date.now(), this.#server, Date.now(), ...placeOf(after), most])
  }

  async drop(id: string): Promise<void> {
    await this.#file.durable(() => this.#sql.drop.run(id, this.#server))
  }

  async #create(task: StoredTask, { mostOfPrincipal, entries, owner }: Creating): Promise<boolean> {
    const row = { ...toRow(task), ...leaseOf(owner), server: this.#server }
    this.#expired.sometimes()
    return this.#file.durable(() => {
      const most = Math.min(mostOfPrincipal, Number.MAX_SAFE_INTEGER)
      const found = this.#sql.count.get(row.principal, Date.now(), most) as { count: number }
      if (found.count >= mostOfPrincipal) return false
      const create = () => {
        this.#sql.create.run(row)
        for (const entry of entries) this.#sql.enter.run(this.#valuesOf(task.id, entry, null))
      }
      this.#expired.makingRoom(() => this.#file.transaction(create))
      return true
    })
  }

  #enter(id: string, entry: TaskEntry, fence: number | null): boolean {
    const sql = entry.kind === 'effect' ? this.#sql.replace : this.#sql.enter
    if (sql.run(this.#valuesOf(id, entry, fence)).changes === 0) return false
    this.#sql.grow.run(id, this.#server)
    return true
  }

  #valuesOf(id: string, { kind, key, value }: TaskEntry, fence: number | null) {
    const entry = { kind, key: JSON.stringify(key), value: JSON.stringify(value) }
    return { id, server: this.#server, ...entry, now: Date.now(), fence }
  }

  #page(sql: SqliteStatement, values: readonly SqliteValue[]): readonly StoredTask[] {
    return this.#file.use(() => sql.all(...values)).map(toTask)
  }
}

interface Creating {
  readonly mostOfPrincipal: number
  readonly entries: readonly TaskEntry[]
  readonly owner?: TaskOwner
}

function leaseOf(owner: TaskOwner | undefined) {
  if (!owner) return { owner: null, fence: 0, leaseUntil: 0 }
  return { owner: JSON.stringify(owner.owner), fence: 1, leaseUntil: Date.now() + owner.leaseMs }
}

function placeOf({ createdAt, id }: TaskPlace = { createdAt: Number.MIN_SAFE_INTEGER, id: '' }): [number, string] {
  return [createdAt, id]
}
