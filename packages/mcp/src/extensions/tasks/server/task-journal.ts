import type { ClientQuestion, OnceOptions } from '../../../dialects/dialect.ts'
import { SideEffects } from '../../../dialects/side-effects.ts'
import type { TaskEntry, TaskStore } from '../../../stores/task-store.ts'
import { InternalError, RpcError } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'

interface Open {
  readonly question: ClientQuestion
  answer(value: Fields): void
  refuse(error: unknown): void
}

/** The parts of its task that a journal needs. */
export interface JournalEvents {
  /** Aborts when the task has ended, however it has. */
  readonly signal: AbortSignal
  /** The open questions have changed. */
  changed(): void
  /** The task cannot continue. */
  lost(error: RpcError): void
  report(error: unknown, what: string): void
}

/** The steps of a task: each is stored before it is reported, so that the task can be replayed. */
export class TaskJournal {
  readonly #id: string
  readonly #store: TaskStore
  readonly #events: JournalEvents
  readonly #open = new Map<string, Open>()
  readonly #answers = new Map<string, Fields>()
  readonly #effects = new Map<string, Fields>()
  readonly #running = new SideEffects()
  /** The answers of an earlier run that this one has not asked for yet. */
  readonly #due = new Set<string>()

  constructor(id: string, store: TaskStore, events: JournalEvents) {
    this.#id = id
    this.#store = store
    this.#events = events
  }

  /** Restores the entries of an earlier process. */
  restore(entries: readonly TaskEntry[]): void {
    for (const { kind, key, value } of entries) {
      if (kind === 'answer') {
        this.#answers.set(key, value)
        this.#due.add(key)
      }
      if (kind === 'effect') this.#effects.set(key, value)
    }
  }

  /** True if this run did not repeat a question of an earlier one, so that it cannot be the same work. */
  get hasForgotten(): boolean {
    return this.#due.size > 0
  }

  /** The open questions. */
  get open(): ReadonlyMap<string, { readonly question: ClientQuestion }> {
    return this.#open
  }

  /** Notes what came of a side effect that began before there was a task. */
  async did(key: string, value: unknown): Promise<void> {
    const effect = { state: 'done', value: value ?? null }
    this.#effects.set(key, effect)
    await this.#keep({ kind: 'effect', key, value: effect })
  }

  /** Asks, and waits for the answer, unless it is known from an earlier run. */
  async ask(key: string, question: ClientQuestion): Promise<Fields> {
    this.#due.delete(key)
    const known = this.#answers.get(key)
    if (known) return known
    const { signal } = this.#events
    signal.throwIfAborted()
    await this.#keep({ kind: 'question', key, value: { ...question } })
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(signal.reason)
      const answer = (value: Fields): void => {
        signal.removeEventListener('abort', stop)
        resolve(value)
      }
      const refuse = (error: unknown): void => {
        signal.removeEventListener('abort', stop)
        reject(error)
      }
      if (signal.aborted) return stop()
      signal.addEventListener('abort', stop)
      this.#open.set(key, { question, answer, refuse })
      this.#events.changed()
    })
  }

  /** Answers a question; returns whether it was open. */
  async answer(key: string, value: Fields): Promise<boolean> {
    const open = this.#open.get(key)
    if (!open || !(await this.#store.write(this.#id, { kind: 'answer', key, value }))) return false
    this.#open.delete(key)
    this.#answers.set(key, value)
    open.answer(value)
    this.#events.changed()
    return true
  }

  /** Rejects a question that the client will not answer. */
  refuse(key: string, error: unknown): void {
    const open = this.#open.get(key)
    if (!open) return
    this.#open.delete(key)
    open.refuse(error)
    this.#events.changed()
  }

  /** Runs a side effect that is not run again, in this process or in another. */
  async once<T>(key: string, run: () => T | Promise<T>, { repeatable = false }: OnceOptions = {}): Promise<T> {
    const before = this.#effects.get(key)
    if (before?.state === 'done') return before.value as T
    if (before?.state === 'begun' && !repeatable) {
      const error = unknownEffect(key)
      this.#events.lost(error)
      throw error
    }
    return this.#running.once(key, () => this.#recorded(key, run))
  }

  async #recorded<T>(key: string, run: () => T | Promise<T>): Promise<T> {
    const { signal } = this.#events
    const keep = (value: Fields) => this.#keep({ kind: 'effect', key, value })
    if (!(await keep({ state: 'begun' }))) throw signal.reason ?? new RpcError(InternalError, 'The task has ended')
    let value: T
    try {
      value = await run()
    } catch (error) {
      // what failed did not happen, so it may be tried again; what was broken off may have
      if (!signal.aborted) await keep({ state: 'undone' })
      throw error
    }
    await keep({ state: 'done', value: value ?? null }).catch((error) => {
      // it must not be done again, and nothing would keep the next process from that
      this.#events.lost(error)
      throw error
    })
    return value
  }

  // details of the store are for the operator of the server
  async #keep(entry: TaskEntry): Promise<boolean> {
    try {
      return await this.#store.write(this.#id, entry)
    } catch (error) {
      const { kind, key } = entry
      this.#events.report(error, `Storing ${kind} "${key}" of task "${this.#id}"`)
      const done = entry.value.state === 'done' ? ' was done, and that' : ''
      throw new RpcError(InternalError, `Cannot continue: ${kind} "${key}"${done} cannot be stored`, { [kind]: key })
    }
  }
}

function unknownEffect(key: string): RpcError {
  const why = `step "${key}" had begun when the server stopped, and whether it took effect is unknown`
  return new RpcError(InternalError, `Cannot continue: ${why}`, { step: key })
}
