import { appendFileSync } from 'node:fs'
import type { StoredTask, TaskEntry, TaskStore, TaskUpdate } from '../../src/stores/task-store.ts'
import type { Setup } from './setup.ts'

/** The points of the lives of tasks that begin in this process; at one of them it kills itself, as `kill -9` would. */
export class Points {
  readonly #setup: Setup
  readonly #own = new Set<string>()

  constructor(setup: Setup) {
    this.#setup = setup
  }

  /** True if a task began here. */
  isOwn(id: string | undefined): boolean {
    return id !== undefined && this.#own.has(id)
  }

  /** A task has come to a point. */
  reach(id: string | undefined, name: string): void {
    if (!this.isOwn(id)) return
    const { killAt, pointsTo } = this.#setup
    if (pointsTo !== undefined) appendFileSync(pointsTo, `${name}\n`)
    if (name === killAt) process.kill(process.pid, 'SIGKILL')
  }

  /** A store with a point before and after whatever is written. */
  around(store: TaskStore): TaskStore {
    const between = async <Value>(id: string, name: string, write: () => Value | Promise<Value>): Promise<Value> => {
      this.reach(id, `before ${name}`)
      const value = await write()
      this.reach(id, `after ${name}`)
      return value
    }
    return {
      create: (task: StoredTask, most: number, entries?: readonly TaskEntry[]) => {
        this.#own.add(task.id)
        return between(task.id, 'create', () => store.create(task, most, entries))
      },
      update: (id: string, update: TaskUpdate) =>
        between(id, `update ${update.status ?? update.statusMessage ?? ''}`, () => store.update(id, update)),
      write: (id: string, entry: TaskEntry) =>
        between(id, `${entry.kind} ${entry.key} ${entry.value.state ?? ''}`, () => store.write(id, entry)),
      load: (id) => store.load(id),
      entries: (id) => store.entries(id),
      list: (principal, most, after) => store.list(principal, most, after),
      unfinished: (most, after) => store.unfinished(most, after),
      drop: (id) => store.drop(id),
    }
  }
}
