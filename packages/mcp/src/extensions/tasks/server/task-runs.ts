import { randomId } from '@trunkline/base/random-id'
import type { Caller } from '../../../dialects/dialect.ts'
import type { TaskRules } from '../../../dialects/tasks/task-rules.ts'
import type { TaskState } from '../../../model/task.ts'
import { runAtTime } from '../../../rpc/run-at-time.ts'
import type { StoredTask, TaskEntry } from '../../../stores/task-store.ts'
import { InternalError, InvalidParams, McpError, RpcError } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import type { TaskSettings } from './server-task-options.ts'
import { TaskRun } from './task-run.ts'
import { openQuestions, stateOf } from './task-state.ts'
import type { TaskWork } from './task-work.ts'

/** Receives the state and notifications of a task. */
export interface TaskListener {
  changed(state: TaskState): void
  told?(method: string, params: Fields): void
}

export interface NewTask {
  readonly rules: TaskRules
  readonly caller: Caller
  readonly work: TaskWork
  readonly ttlMs: number
  /** Events before there was a task. */
  readonly entries: readonly TaskEntry[]
}

/** The tasks of one server: running ones, stored ones, and their listeners. */
export class TaskRuns {
  readonly #settings: TaskSettings
  readonly #report: (error: unknown, what: string) => void
  readonly #running = new Map<string, TaskRun>()
  readonly #listeners = new Map<string, Set<TaskListener>>()
  readonly #idle: (() => void)[] = []

  constructor(settings: TaskSettings, report: (error: unknown, what: string) => void) {
    this.#settings = settings
    this.#report = report
  }

  /** The number of running tasks and listeners. */
  get live(): { readonly running: number; readonly listeners: number } {
    return { running: this.#running.size, listeners: this.#listeners.size }
  }

  /** Creates a task; when this resolves it is stored. */
  async create({ rules, caller, work, ttlMs, entries }: NewTask): Promise<TaskRun> {
    const { store, limits } = this.#settings
    if (this.#running.size >= limits.maxTasksRunning)
      throw new RpcError(InternalError, `Cannot start a task: ${limits.maxTasksRunning} tasks are running already`)
    const now = Date.now()
    const { principal } = caller
    const task: StoredTask = {
      id: randomId(33),
      ...(principal !== undefined && { principal }),
      createdAt: now,
      updatedAt: now,
      expiresAt: now + Math.min(ttlMs, limits.maxTtlMs),
      status: 'working',
      work: work as unknown as Fields,
    }
    if (!(await this.#kept(() => store.create(task, limits.maxTasksPerCaller, entries)))) {
      const most = limits.maxTasksPerCaller
      throw new RpcError(InternalError, `Cannot start a task: ${most} tasks of this caller are stored already`)
    }
    return this.run(task, rules, caller)
  }

  // a store that fails is not a failure of the tool, which has not begun
  async #kept(keep: () => Promise<boolean> | boolean): Promise<boolean> {
    try {
      return await keep()
    } catch (error) {
      this.#report(error, 'Storing a task')
      // what a store says of itself, such as where its file is, is none of the caller's business
      const why = error instanceof McpError && error.code === 'Busy' ? error.message : 'Cannot keep a task'
      throw new RpcError(InternalError, why)
    }
  }

  /** Runs a stored task. */
  run(task: StoredTask, rules: TaskRules, caller: Caller): TaskRun {
    const { store } = this.#settings
    const run = new TaskRun({ task, store, rules, caller, events: this.#events })
    this.#running.set(run.id, run)
    const callOff = task.expiresAt === null ? undefined : runAtTime(task.expiresAt, () => run.expire())
    run.incoming.signal.addEventListener('abort', () => {
      callOff?.()
      this.#running.delete(run.id)
      this.#idle.shift()?.()
    })
    return run
  }

  /** The run of a task that its caller may know of, if it runs here. */
  find(id: string): TaskRun | undefined {
    return this.#running.get(id)
  }

  /** The state of a task; an unknown task and one of another caller get the same error. */
  async state(id: string, { principal }: Caller): Promise<TaskState> {
    const run = this.#running.get(id)
    if (run && run.caller.principal === principal) return run.state
    const { store } = this.#settings
    const task = await store.load(id)
    if (!task || task.principal !== principal) throw unknownTask(id)
    const isOpen = task.status === 'working'
    return stateOf(task, isOpen ? openQuestions(await store.entries(id)) : new Map())
  }

  /** Listens to a task until the returned function is called. */
  listen(id: string, listener: TaskListener): () => void {
    const listeners = this.#listeners.get(id) ?? new Set()
    this.#listeners.set(id, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(id)
    }
  }

  /** Leaves all running tasks, because this process ends. */
  leave(): void {
    for (const run of [...this.#running.values()]) run.leave()
  }

  /** Resolves when there is room for one more task. */
  async room(): Promise<void> {
    while (this.#running.size >= this.#settings.limits.maxTasksRunning)
      await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  readonly #events = {
    changed: (run: TaskRun): void => {
      const { state } = run
      for (const listener of this.#listeners.get(run.id) ?? []) listener.changed(state)
    },
    told: (run: TaskRun, method: string, params: Fields): boolean => {
      const hearing = [...(this.#listeners.get(run.id) ?? [])].filter(({ told }) => told)
      for (const listener of hearing) listener.told?.(method, params)
      return hearing.length > 0
    },
    report: (error: unknown, what: string): void => this.#report(error, what),
  }
}

/** The error for an unknown task, or one of another caller. */
export function unknownTask(id: string): RpcError {
  return new RpcError(InvalidParams, `Cannot find task "${id.slice(0, 80)}": no such task`, { field: 'taskId' })
}
