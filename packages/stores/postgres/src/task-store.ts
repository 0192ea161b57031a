import type {
  OwnedTask,
  StoredTask,
  TaskEntry,
  TaskLease,
  TaskOwner,
  TaskPlace,
  TaskStore,
  TaskUpdate,
} from '@trunkline/mcp/tasks'
import type { Database } from './database.ts'
import type { Sweeper } from './sweeper.ts'
import { jsonOrNull, rowToTask, taskToRow } from './task-row.ts'
import { postgresTaskStatements } from './task-statements.ts'

/** Tasks in a schema; one process at a time owns a task. */
export class PostgresTaskStore implements Required<TaskStore> {
  readonly #database: Database
  readonly #sweeper: Sweeper
  readonly #sql: ReturnType<typeof postgresTaskStatements>

  constructor(database: Database, schema: string, sweeper: Sweeper) {
    this.#database = database
    this.#sweeper = sweeper
    this.#sql = postgresTaskStatements(schema)
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

  async load(id: string): Promise<StoredTask | undefined> {
    const { rows } = await this.#database.query(this.#sql.load, [id])
    return rows[0] && rowToTask(rows[0])
  }

  update(
    id: string,
    { updatedAt, status, statusMessage, outcome }: TaskUpdate,
    fence: number | null = null,
  ): Promise<boolean> {
    const news = [updatedAt, status ?? null, jsonOrNull(statusMessage), jsonOrNull(outcome)]
    return this.#has(this.#sql.update, [id, fence, ...news])
  }

  write(id: string, { kind, key, value }: TaskEntry, fence: number | null = null): Promise<boolean> {
    const sql = kind === 'effect' ? this.#sql.replace : this.#sql.enter
    return this.#has(sql, [id, fence, kind, JSON.stringify(key), JSON.stringify(value)])
  }

  async entries(id: string): Promise<readonly TaskEntry[]> {
    const { rows } = await this.#database.query(this.#sql.entries, [id])
    return rows.map(({ kind, key, value }) => ({
      kind: kind as TaskEntry['kind'],
      key: JSON.parse(key as string),
      value: JSON.parse(value as string),
    }))
  }

  list(principal: string | undefined, most: number, after?: TaskPlace): Promise<readonly StoredTask[]> {
    return this.#page(this.#sql.list, [...placeOf(after), most, jsonOrNull(principal)])
  }

  unfinished(most: number, after?: TaskPlace): Promise<readonly StoredTask[]> {
    return this.#page(this.#sql.unfinished, [...placeOf(after), most])
  }

  unowned(most: number, after?: TaskPlace): Promise<readonly StoredTask[]> {
    return this.#page(this.#sql.unowned, [...placeOf(after), most])
  }

  async claim(id: string, { owner, leaseMs }: TaskOwner): Promise<TaskLease | undefined> {
    const { rows } = await this.#database.query(this.#sql.claim, [id, owner, leaseMs])
    return rows[0] && { fence: Number(rows[0].fence), version: Number(rows[0].version) }
  }

  async renew(id: string, fence: number, leaseMs: number): Promise<number | undefined> {
    const { rows } = await this.#database.query(this.#sql.renew, [id, fence, leaseMs])
    return rows[0] && Number(rows[0].version)
  }

  release(id: string, fence: number): Promise<boolean> {
    return this.#has(this.#sql.release, [id, fence])
  }

  async drop(id: string): Promise<void> {
    await this.#database.query(this.#sql.drop, [id])
  }

  async #create(task: StoredTask, { mostOfPrincipal, entries, owner }: Creating): Promise<boolean> {
    this.#sweeper.sometimes()
    const row = taskToRow(task)
    const most = Math.min(mostOfPrincipal, Number.MAX_SAFE_INTEGER)
    return this.#database.transaction(async (client) => {
      // what one principal creates at the same time is counted one after the other
      await client.query(this.#sql.lock, [row.principal ?? ''])
      const lease = [owner?.owner ?? null, owner ? 1 : 0, owner?.leaseMs ?? 0]
      const { rowCount } = await client.query(this.#sql.create, [...Object.values(row), ...lease, most])
      if (rowCount === 0) return false
      if (entries.length > 0) await client.query(this.#sql.enterAll, [task.id, ...columnsOf(entries)])
      return true
    })
  }

  async #has(sql: string, values: readonly unknown[]): Promise<boolean> {
    return (await this.#database.query(sql, values)).rowCount !== 0
  }

  async #page(sql: string, values: readonly unknown[]): Promise<readonly StoredTask[]> {
    return (await this.#database.query(sql, values)).rows.map(rowToTask)
  }
}

interface Creating {
  readonly mostOfPrincipal: number
  readonly entries: readonly TaskEntry[]
  readonly owner?: TaskOwner
}

function columnsOf(entries: readonly TaskEntry[]): readonly (readonly string[])[] {
  return [
    entries.map(({ kind }) => kind),
    entries.map(({ key }) => JSON.stringify(key)),
    entries.map(({ value }) => JSON.stringify(value)),
  ]
}

function placeOf({ createdAt, id }: TaskPlace = { createdAt: Number.MIN_SAFE_INTEGER, id: '' }): [number, string] {
  return [createdAt, id]
}
