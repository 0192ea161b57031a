import { randomId } from '@trunkline/base/random-id'
import type { Caller } from '../../../dialects/dialect.ts'
import type { TaskRules } from '../../../dialects/tasks/task-rules.ts'
import type { TaskState } from '../../../model/task.ts'
import { runAtTime } from '../../../rpc/run-at-time.ts'
import type { StoredTask, TaskEntry } from '../../../stores/task-store.ts'
import { InternalError, InvalidParams, McpError, RpcError, StoreAway } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import type { TaskSettings } from './server-task-options.ts'
import type { SharedTasks } from './shared-tasks.ts'
import { refusalEntry } from './task-journal.ts'
import { type TakenLease, TaskOwnership } from './task-ownership.ts'
import { TaskRun } from './task-run.ts'
import { openQuestions, stateOf } from './task-state.ts'
import type { TaskWork } from './task-work.ts'

/** Receives the state and notifications of a task. */
export interface TaskListener {
  changed(state: TaskState): void
  /** The task is no longer stored, and ran in another process. */
  gone?(): void
  told?(method: string, params: Fields): void
}

export interface NewTask {
  readonly rules: TaskRules
  readonly caller: Caller
  readonly work: TaskWork
  readonly ttlMs: number
  /** Events before there was a task. */
  readonly entries: readonly TaskEntry[]
  /** True if another process may run it again. */
  readonly isResumable: boolean
}

/** Conditions under which a stored task runs. */
export interface Running {
  readonly rules: TaskRules
  readonly caller: Caller
  readonly isResumable: boolean
  /** The lease of this process, where several share the store. */
  readonly lease?: TakenLease | undefined
}

/** A question of a task. */
export interface QuestionPlace {
  readonly id: string
  readonly key: string
}

/** The tasks of one server: running ones, stored ones, and their listeners. */
export class TaskRuns {
  /** The questions that are being asked at the moment, each by its task and key. */
  readonly asking = new Set<string>()
  readonly #settings: TaskSettings
  readonly #report: (error: unknown, what: string) => void
  readonly #running = new Map<string, TaskRun>()
  readonly #listeners = new Map<string, Set<TaskListener>>()
  readonly #idle: (() => void)[] = []
  /** Ends of watches of tasks that may run elsewhere. */
  readonly #watches = new Map<string, () => void>()
  #shared: SharedTasks | undefined

  constructor(settings: TaskSettings, report: (error: unknown, what: string) => void) {
    this.#settings = settings
    this.#report = report
  }

  /** The number of running tasks and listeners. */
  get live(): { readonly running: number; readonly listeners: number } {
    return { running: this.#running.size, listeners: this.#listeners.size }
  }

  /** The tasks that run here. */
  get running(): readonly TaskRun[] {
    return [...this.#running.values()]
  }

  /** The tasks of all processes, where several share the store. */
  get shared(): SharedTasks | undefined {
    return this.#shared
  }

  /** Shares the tasks with other processes. */
  share(shared: SharedTasks): void {
    this.#shared = shared
  }

  /** Creates a task; when this resolves it is stored. */
  async create({ rules, caller, work, ttlMs, entries, isResumable }: NewTask): Promise<TaskRun> {
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
    const most = limits.maxTasksPerCaller
    const shared = this.#shared
    const kept = await this.#kept<TakenLease | boolean | undefined>(() =>
      shared ? shared.create(task, { mostOfPrincipal: most, entries }) : store.create(task, most, entries),
    )
    if (!kept) {
      throw new RpcError(InternalError, `Cannot start a task: ${most} tasks of this caller are stored already`)
    }
    return this.run(task, { rules, caller, isResumable, lease: typeof kept === 'object' ? kept : undefined })
  }

  // a store that fails is not a failure of the tool, which has not begun
  async #kept<Kept>(keep: () => Promise<Kept> | Kept): Promise<Kept> {
    try {
      return await keep()
    } catch (error) {
      this.#report(error, 'Storing a task')
      // what a store says of itself, such as where its file is, is none of the caller's business
      const why = error instanceof McpError && error.code === 'Busy' ? error.message : 'Cannot keep a task'
      throw this.#shared ? new StoreAway(why) : new RpcError(InternalError, why)
    }
  }

  /** Runs a stored task. */
  run(task: StoredTask, { lease, ...how }: Running): TaskRun {
    const { store } = this.#settings
    const ownership = lease && this.#shared && new TaskOwnership(lease, () => run, this.#shared)
    const run: TaskRun = new TaskRun({ ...how, task, store, events: this.#events, ownership })
    ownership?.begin()
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
    // what other processes have written is in the store only
    if (run && !this.#shared && run.caller.principal === principal) return run.state
    const { store } = this.#settings
    const task = await this.reach(() => store.load(id))
    if (!task || task.principal !== principal) throw unknownTask(id)
    return this.#stateOf(task)
  }

  /** Answers an open question of a task; of several answers the first counts. */
  async answer({ id, key }: QuestionPlace, value: Fields): Promise<void> {
    const run = this.#running.get(id)
    // a task that is resumed later finds the answer in the store
    if (run && !this.#shared) await run.journal.answer(key, value)
    else await this.#enter(id, { kind: 'answer', key, value })
  }

  /** Rejects a question of a task that the client will not answer. */
  async refuse({ id, key }: QuestionPlace, error: McpError): Promise<void> {
    if (this.#shared) await this.#enter(id, refusalEntry(key, error.message))
    else this.#running.get(id)?.journal.refuse(key, error)
  }

  /** Cancels a task; returns false if it had ended before. */
  async cancel(id: string): Promise<boolean> {
    const run = this.#running.get(id)
    if (run && !this.#shared) return run.cancel()
    const end = { status: 'cancelled', updatedAt: Date.now(), ...(this.#shared && cancelledMessage) } as const
    const isCancelled = await this.reach(() => this.#settings.store.update(id, end))
    await this.#told(id)
    return isCancelled
  }

  /** Uses the store; in a cluster a failure of it is answered as such. */
  async reach<Result>(step: () => Promise<Result> | Result): Promise<Result> {
    try {
      return await step()
    } catch (error) {
      if (!this.#shared || error instanceof RpcError) throw error
      this.#shared.member.failed(error)
      throw new StoreAway('Cannot reach the tasks: their store does not answer')
    }
  }

  async #enter(id: string, entry: TaskEntry): Promise<void> {
    await this.reach(() => this.#settings.store.write(id, entry))
    await this.#told(id)
  }

  /** Lets the process that runs a task, and those that watch it, know of what was stored. */
  async #told(id: string): Promise<void> {
    const run = this.#running.get(id)
    if (!run) return this.#shared?.stored(id)
    await run.reread()
    this.#shared?.changed(id)
  }

  async #stateOf(task: StoredTask): Promise<TaskState> {
    const isOpen = task.status === 'working'
    return stateOf(
      task,
      isOpen ? openQuestions(await this.reach(() => this.#settings.store.entries(task.id))) : new Map(),
    )
  }

  /** Listens to a task until the returned function is called. */
  listen(id: string, listener: TaskListener): () => void {
    const listeners = this.#listeners.get(id) ?? new Set()
    this.#listeners.set(id, listeners.add(listener))
    if (this.#shared && !this.#watches.has(id)) this.#watches.set(id, this.#shared.watch(id, this.#lookAt(id)))
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0 || this.#listeners.get(id) !== listeners) return
      this.#listeners.delete(id)
      this.#watches.get(id)?.()
      this.#watches.delete(id)
    }
  }

  /** Tells listeners of a task that runs in another process what is new. */
  #lookAt(id: string): () => Promise<void> {
    let seen: string | undefined
    return async () => {
      if (this.#running.has(id)) return
      const task = await this.#settings.store.load(id)
      const state = task && (await this.#stateOf(task))
      const now = JSON.stringify(state) ?? 'gone'
      if (now === seen) return
      seen = now
      for (const listener of this.#listeners.get(id) ?? []) {
        if (state) listener.changed(state)
        else listener.gone?.()
      }
    }
  }

  /** Leaves all running tasks, because this process ends. */
  leave(): void {
    for (const run of [...this.#running.values()]) run.leave()
  }

  /** True if one more task may run. */
  get hasRoom(): boolean {
    return this.#running.size < this.#settings.limits.maxTasksRunning
  }

  /** Resolves when there is room for one more task. */
  async room(): Promise<void> {
    while (!this.hasRoom) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  readonly #events = {
    changed: (run: TaskRun): void => {
      const { state } = run
      for (const listener of this.#listeners.get(run.id) ?? []) listener.changed(state)
    },
    stored: (run: TaskRun): void => this.#shared?.changed(run.id),
    told: (run: TaskRun, method: string, params: Fields): boolean => {
      const hearing = [...(this.#listeners.get(run.id) ?? [])].filter(({ told }) => told)
      for (const listener of hearing) listener.told?.(method, params)
      return hearing.length > 0
    },
    report: (error: unknown, what: string): void => this.#report(error, what),
  }
}

const cancelledMessage = { statusMessage: 'The task was cancelled' } as const

/** The error for an unknown task, or one of another caller. */
export function unknownTask(id: string): RpcError {
  return new RpcError(InvalidParams, `Cannot find task "${id.slice(0, 80)}": no such task`, { field: 'taskId' })
}
