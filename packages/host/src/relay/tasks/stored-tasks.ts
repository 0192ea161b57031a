import type { StoredTask, TaskEntry, TaskPlace, TaskStore, TaskUpdate } from '@trunkline/mcp/tasks'
import type { Store } from '../../store/store.ts'
import { taskStatements } from './task-statements.ts'

/** Expiry of tasks that never expire. */
const never = Number.MAX_SAFE_INTEGER
const anonymous = ''

/**
 * The tasks of one address of the gateway, in the store of the host. Addresses share the limit of a principal; each
 * resumes only the tasks that it left unfinished itself.
 */
export class StoredTasks implements TaskStore {
  readonly #store: Store
  readonly #place: string
  readonly #sql: ReturnType<typeof taskStatements>

  constructor(store: Store, place: string) {
    this.#store = store
    this.#place = place
    this.#sql = taskStatements(store.database)
  }

  async create(task: StoredTask, mostOfPrincipal: number, entries: readonly TaskEntry[] = []): Promise<boolean> {
    const { id, principal = anonymous, createdAt, expiresAt, status } = task
    let isMade = false
    await this.#store.durable(() => {
      this.#sql.sweep.run(Date.now())
      isMade = Number(this.#sql.count.get(principal)?.count) < mostOfPrincipal
      if (!isMade) return
      const text = JSON.stringify(task)
      this.#sql.create.run(id, this.#place, principal, createdAt, expiresAt ?? never, status, text)
      for (const { kind, key, value } of entries) this.#sql.enter.run(kind, key, JSON.stringify(value), id, Date.now())
    })
    return isMade
  }

  load(id: string): StoredTask | undefined {
    const row = this.#sql.load.get(id, this.#place, Date.now())
    return row && toTask(row)
  }

  async update(id: string, update: TaskUpdate): Promise<boolean> {
    let isChanged = false
    const write = (): void => {
      const before = this.load(id)
      if (before?.status !== 'working') return
      const after = { ...before, ...update }
      this.#sql.update.run(after.status, JSON.stringify(after), id)
      isChanged = true
    }
    // status messages of a running task may be lost with the power
    await (update.status === undefined ? this.#store.batch(write) : this.#store.durable(write))
    return isChanged
  }

  async write(id: string, { kind, key, value }: TaskEntry): Promise<boolean> {
    const sql = kind === 'effect' ? this.#sql.replace : this.#sql.enter
    let isNew = false
    await this.#store.durable(() => {
      isNew = sql.run(kind, key, JSON.stringify(value), id, Date.now()).changes > 0
    })
    return isNew
  }

  entries(id: string): readonly TaskEntry[] {
    return this.#sql.entries.all(id).map(({ kind, key, value }) => ({
      kind: kind as TaskEntry['kind'],
      key: String(key),
      value: JSON.parse(String(value)),
    }))
  }

  list(principal = anonymous, most: number, after?: TaskPlace): readonly StoredTask[] {
    return this.#sql.list.all(principal, this.#place, Date.now(), ...placeOf(after), most).map(toTask)
  }

  unfinished(most: number, after?: TaskPlace): readonly StoredTask[] {
    return this.#sql.unfinished.all(this.#place, Date.now(), ...placeOf(after), most).map(toTask)
  }

  async drop(id: string): Promise<void> {
    await this.#store.batch(() => void this.#sql.drop.run(id))
  }
}

function toTask({ task }: { readonly [column: string]: unknown }): StoredTask {
  return JSON.parse(String(task)) as StoredTask
}

function placeOf({ createdAt, id }: TaskPlace = { createdAt: 0, id: '' }): [number, string] {
  return [createdAt, id]
}
