import type { StoredTask, TaskEntry, TaskPlace, TaskStore, TaskUpdate } from '@trunkline/mcp/tasks'
import type { Store } from '../../store/store.ts'
import { TaskTable } from '../../store/tables/task-table.ts'

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
  readonly #table: TaskTable

  constructor(store: Store, place: string) {
    this.#store = store
    this.#place = place
    this.#table = new TaskTable(store)
  }

  async create(task: StoredTask, mostOfPrincipal: number, entries: readonly TaskEntry[] = []): Promise<boolean> {
    const { id, principal = anonymous, createdAt, expiresAt, status } = task
    let isMade = false
    await this.#store.durable(() => {
      this.#table.sweep(Date.now())
      isMade = this.#table.countOf(principal) < mostOfPrincipal
      if (!isMade) return
      const kept = { id, place: this.#place, principal, createdAt, expiresAt: expiresAt ?? never, status }
      this.#table.insert({ ...kept, task: JSON.stringify(task) })
      for (const entry of entries) this.#table.addEntry(id, entryRow(entry), Date.now())
    })
    return isMade
  }

  load(id: string): StoredTask | undefined {
    const text = this.#table.load(id, this.#place, Date.now())
    return text === undefined ? undefined : toTask(text)
  }

  async update(id: string, update: TaskUpdate): Promise<boolean> {
    let isChanged = false
    const write = (): void => {
      const before = this.load(id)
      if (before?.status !== 'working') return
      const after = { ...before, ...update }
      this.#table.update(id, { status: after.status, task: JSON.stringify(after) })
      isChanged = true
    }
    // status messages of a running task may be lost with the power
    await (update.status === undefined ? this.#store.batch(write) : this.#store.durable(write))
    return isChanged
  }

  async write(id: string, entry: TaskEntry): Promise<boolean> {
    const how = entry.kind === 'effect' ? 'putEntry' : 'addEntry'
    let isNew = false
    await this.#store.durable(() => {
      isNew = this.#table[how](id, entryRow(entry), Date.now())
    })
    return isNew
  }

  entries(id: string): readonly TaskEntry[] {
    return this.#table.entries(id).map(({ kind, key, value }) => ({
      kind: kind as TaskEntry['kind'],
      key,
      value: JSON.parse(value),
    }))
  }

  list(principal = anonymous, most: number, after?: TaskPlace): readonly StoredTask[] {
    return this.#table.list({ principal, ...this.#page(most, after) }).map(toTask)
  }

  unfinished(most: number, after?: TaskPlace): readonly StoredTask[] {
    return this.#table.unfinished(this.#page(most, after)).map(toTask)
  }

  async drop(id: string): Promise<void> {
    await this.#store.batch(() => this.#table.remove(id))
  }

  #page(most: number, after: TaskPlace = { createdAt: 0, id: '' }) {
    return { place: this.#place, now: Date.now(), after, most }
  }
}

function toTask(text: string): StoredTask {
  return JSON.parse(text) as StoredTask
}

function entryRow({ kind, key, value }: TaskEntry) {
  return { kind, key, value: JSON.stringify(value) }
}
