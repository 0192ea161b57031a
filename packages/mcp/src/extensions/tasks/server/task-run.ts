import { ChangeNotifier } from '../../../dialects/change-notifier.ts'
import type { Caller } from '../../../dialects/dialect.ts'
import type { TaskRules } from '../../../dialects/tasks/task-rules.ts'
import { controlMethods } from '../../../model/control-methods.ts'
import type { TaskState } from '../../../model/task.ts'
import { wait } from '../../../rpc/abortable-wait.ts'
import { Incoming } from '../../../rpc/incoming.ts'
import type { StoredTask, TaskStore, TaskUpdate } from '../../../stores/task-store.ts'
import { InternalError, McpError, RpcError, toWire } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import { TaskJournal } from './task-journal.ts'
import type { TaskOwnership } from './task-ownership.ts'
import { stateOf } from './task-state.ts'

/** The callbacks of a running task. */
export interface RunEvents {
  /** Its state has changed, and is stored. */
  changed(run: TaskRun): void
  /** A change of it was stored. */
  stored(run: TaskRun): void
  /** Sends a notification to the caller of the task; returns whether the caller is connected. */
  told(run: TaskRun, method: string, params: Fields): boolean
  report(error: unknown, what: string): void
}

export interface TaskRunParts {
  readonly task: StoredTask
  readonly store: TaskStore
  readonly rules: TaskRules
  readonly caller: Caller
  readonly events: RunEvents
  /** True if another process may run it again. */
  readonly isResumable: boolean
  /** The right to run it, where several processes share the store. */
  readonly ownership?: TaskOwnership | undefined
}

/** One task that runs in this process. */
export class TaskRun {
  readonly rules: TaskRules
  readonly caller: Caller
  readonly journal: TaskJournal
  /** The request as the handler sees it: its signal aborts when the task ends before the handler does. */
  readonly incoming: Incoming
  /** True if another process may run it again. */
  readonly isResumable: boolean
  /** Resolves when it has ended, or runs here no longer. */
  readonly ended: Promise<void>
  readonly #store: TaskStore
  readonly #events: RunEvents
  readonly #ownership: TaskOwnership | undefined
  #task: StoredTask
  #isSaving = false
  #isLeft = false
  #notifier: ChangeNotifier<Notice> | undefined
  #hasNews = false

  constructor({ task, store, rules, caller, events, isResumable, ownership }: TaskRunParts) {
    this.#task = task
    this.#store = store
    this.#events = events
    this.#ownership = ownership
    this.isResumable = isResumable
    this.rules = rules
    this.caller = caller
    const params = (task.work as { params: Fields }).params
    this.incoming = new Incoming({ jsonrpc: '2.0', id: task.id, method: 'tools/call', params }, undefined, {
      call: (method) => Promise.reject(new McpError('Misuse', `Cannot send "${method}": a task asks by its context`)),
      notify: (method, told) => void this.tell(method, told),
    })
    const { signal } = this.incoming
    this.ended = new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
    this.journal = new TaskJournal(task.id, store, {
      signal,
      ownership,
      changed: () => this.#touch({}),
      lost: (error) => void this.fail(error),
      report: (error, what) => events.report(error, what),
    })
  }

  /** Sends the task's notifications to the caller that started it, while the connection is open. */
  announceTo(incoming: Incoming): void {
    this.#notifier = new ChangeNotifier<Notice>(async ([method, params]) => {
      // the client learns of the task with the answer to its call
      while (!incoming.ended) await new Promise<void>((resolve) => setTimeout(resolve))
      await incoming.announce(method, params)
    })
  }

  get id(): string {
    return this.#task.id
  }

  /** Number that its writes carry, where several processes share the store. */
  get fence(): number | undefined {
    return this.#ownership?.fence
  }

  get state(): TaskState {
    return stateOf(this.#task, this.journal.open)
  }

  get hasEnded(): boolean {
    return this.#task.status !== 'working'
  }

  /** Sets the status message. */
  status(statusMessage: string): void {
    if (!this.hasEnded) this.#touch({ statusMessage })
  }

  /** Sends a notification to the caller, if the revision has it. */
  tell(method: string, params: Fields): void {
    if (this.hasEnded) return
    if (method === controlMethods.progress && typeof params.message === 'string') this.status(params.message)
    if (!this.#events.told(this, method, params))
      this.#notifier?.announce(method, [method, this.rules.related(this.id, params)])
  }

  /** The handler has returned. */
  complete(result: Fields): Promise<boolean> {
    if (this.journal.hasForgotten) return this.fail(strayed())
    return this.#end({ status: 'completed', outcome: { result } })
  }

  /** The handler has thrown an error. */
  fail(error: unknown): Promise<boolean> {
    if (this.hasEnded || this.#isLeft) return Promise.resolve(false)
    if (!(error instanceof RpcError)) this.#events.report(error, `Task "${this.id}"`)
    const wire = toWire(error)
    return this.#end({ status: 'failed', outcome: { error: wire }, statusMessage: wire.message })
  }

  /** Ends the task; rejects when that cannot be kept. */
  cancel(): Promise<boolean> {
    const end = { status: 'cancelled', statusMessage: 'The task was cancelled' } as const
    return this.#end(end, (update) => this.#store.update(this.id, update))
  }

  /** The task has expired. */
  expire(): void {
    this.incoming.abort(new McpError('Timeout', 'The task has expired'))
    this.#events.changed(this)
  }

  /** This process ends; another one resumes the task, or ends it with the reason. */
  leave(): void {
    this.#isLeft = true
    this.incoming.abort(new McpError('Closed', 'The server closes'))
  }

  /** Lets effects that were begun end, and begins no more; the outcome of the handler no longer counts. */
  async finishEffects(): Promise<void> {
    this.#isLeft = true
    await this.journal.finish()
  }

  /** Another process may have the task: this one stops, and writes nothing more. */
  lose(): void {
    this.#isLeft = true
    this.incoming.abort(new McpError('Closed', endings.working))
  }

  /** Another process ended the task. */
  endedElsewhere(task: StoredTask): void {
    this.#task = task
    const { status } = task
    this.incoming.abort(new McpError(status === 'cancelled' ? 'Cancelled' : 'Closed', endings[status]))
    this.#changed()
  }

  /** Reads what other processes have written, where several share the store. */
  reread(): Promise<void> | undefined {
    return this.#ownership?.reread()
  }

  // the first end counts, and is stored before it is reported
  async #end(end: Omit<TaskUpdate, 'updatedAt'>, save: Save = (update) => this.#saved(update)): Promise<boolean> {
    const update = { ...end, updatedAt: Date.now() }
    if (this.hasEnded || this.#isLeft) return false
    if (!(await save(update))) {
      // another process may have ended it first
      void this.reread()
      return false
    }
    this.#events.stored(this)
    // it may have been read again meanwhile
    if (this.hasEnded) return true
    // while the end was stored the task may have said one more word
    const updatedAt = Math.max(update.updatedAt, this.#task.updatedAt)
    this.#task = { ...this.#task, ...update, updatedAt }
    const code = this.#task.status === 'cancelled' ? 'Cancelled' : 'Closed'
    this.incoming.abort(new McpError(code, endings[this.#task.status]))
    this.#changed()
    return true
  }

  // a result that cannot be kept is an end as well, and a store that is full for a while must not leave a task without one
  async #saved(update: TaskUpdate): Promise<boolean> {
    for (let pauseMs: number = saving.firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, saving.longestPauseMs)) {
      if (!this.#mayWrite) return false
      try {
        return await this.#store.update(this.id, update, this.fence)
      } catch (error) {
        if (pauseMs === saving.firstPauseMs) this.#events.report(error, `Storing the end of task "${this.id}"`)
      }
      try {
        const isSaved = await this.#store.update(this.id, { ...update, ...unkept }, this.fence)
        Object.assign(update, unkept)
        return isSaved
      } catch {
        this.#say('The task has ended, but its result cannot be stored at the moment')
      }
      if (await isAborted(wait(pauseMs, this.incoming.signal))) return false
    }
  }

  get #mayWrite(): boolean {
    return this.#ownership?.holds ?? true
  }

  #say(statusMessage: string): void {
    if (this.#task.statusMessage === statusMessage) return
    this.#task = { ...this.#task, statusMessage, updatedAt: Date.now() }
    this.#changed()
  }

  #changed(): void {
    this.#notifier?.announce('status', this.rules.notice(this.state, this.caller))
    this.#events.changed(this)
  }

  #touch(news: Partial<StoredTask>): void {
    this.#task = { ...this.#task, ...news, updatedAt: Date.now() }
    this.#changed()
    this.#hasNews = true
    if (!this.#isSaving) void this.#save().catch((error) => this.#events.report(error, `Storing task "${this.id}"`))
  }

  // of several quick changes only the latest is written
  async #save(): Promise<void> {
    this.#isSaving = true
    try {
      while (this.#hasNews && !this.hasEnded && this.#mayWrite) {
        this.#hasNews = false
        const { updatedAt, statusMessage } = this.#task
        const news = { updatedAt, ...(statusMessage !== undefined && { statusMessage }) }
        if (await this.#store.update(this.id, news, this.fence)) this.#events.stored(this)
      }
    } finally {
      this.#isSaving = false
    }
  }
}

function isAborted(waiting: Promise<void>): Promise<boolean> {
  return waiting.then(
    () => false,
    () => true,
  )
}

function strayed(): RpcError {
  return new RpcError(
    InternalError,
    'Cannot run the task again: its handler asked other questions than in the last run',
  )
}

type Save = (update: TaskUpdate) => Promise<boolean> | boolean

/** Pauses between attempts to keep an end that could not be kept. */
const saving = { firstPauseMs: 100, longestPauseMs: 30_000 } as const

const unkept = {
  status: 'failed',
  statusMessage: 'Cannot store the result of the task',
  outcome: { error: toWire(new RpcError(InternalError, 'Cannot store the result of the task')) },
} as const

type Notice = readonly [method: string, params: Fields]

const endings = {
  working: 'The task continues in another process',
  completed: 'The task has ended',
  failed: 'The task has failed',
  cancelled: 'The task was cancelled',
} as const
