import type { ClientQuestion, OnceOptions } from '../../../dialects/dialect.ts'
import { SideEffects } from '../../../dialects/side-effects.ts'
import type { TaskEntry, TaskStore } from '../../../stores/task-store.ts'
import { InternalError, McpError, RpcError } from '../../../wire/errors.ts'
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
  /** The right to write, where several processes share the store. */
  readonly ownership?: JournalOwnership | undefined
}

/** The right of a process to write the steps of a task. */
interface JournalOwnership {
  readonly fence: number
  /** False once another process may have the task. */
  readonly holds: boolean
  /** Reads what other processes have written. */
  reread(): Promise<void>
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
  /** Effects that were begun, until their outcome is stored. */
  readonly #underWay = new Set<Promise<unknown>>()
  #isFinishing = false
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

  /** Takes over answers that other processes have stored. */
  adopt(entries: readonly TaskEntry[]): void {
    const answers = entries.filter(({ kind, key }) => kind === 'answer' && !this.#answers.has(key))
    let isChanged = false
    for (const { key, value } of answers) {
      this.#answers.set(key, value)
      const open = this.#open.get(key)
      if (!open) continue
      this.#open.delete(key)
      isChanged = true
      const refusal = refusalIn(value)
      if (refusal) open.refuse(refusal)
      else open.answer(value)
    }
    if (isChanged) this.#events.changed()
  }

  /** Begins no more effects; resolves when none is under way. */
  async finish(): Promise<void> {
    this.#isFinishing = true
    await Promise.allSettled(this.#underWay)
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
    const { signal, ownership } = this.#events
    if (!this.#answers.has(key)) {
      signal.throwIfAborted()
      await this.#keep({ kind: 'question', key, value: { ...question } })
    }
    const known = this.#answers.get(key)
    if (known) return accepted(known)
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
      // another process may have stored the answer before this one waited for it
      void ownership?.reread()
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
    return this.#running.once(key, () => {
      const effect = this.#recorded(key, run)
      this.#underWay.add(effect)
      const ended = (): boolean => this.#underWay.delete(effect)
      effect.then(ended, ended)
      return effect
    })
  }

  async #recorded<T>(key: string, run: () => T | Promise<T>): Promise<T> {
    const { signal } = this.#events
    // it would end after the task was given to another process
    if (this.#isFinishing) throw new McpError('Closed', 'The server closes')
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
    const { ownership } = this.#events
    if (ownership && !ownership.holds) return false
    try {
      return await this.#store.write(this.#id, entry, ownership?.fence)
    } catch (error) {
      const { kind, key } = entry
      this.#events.report(error, `Storing ${kind} "${key}" of task "${this.#id}"`)
      const done = entry.value.state === 'done' ? ' was done, and that' : ''
      throw new RpcError(InternalError, `Cannot continue: ${kind} "${key}"${done} cannot be stored`, { [kind]: key })
    }
  }
}

/** The entry of a question that the client will not answer, which is no valid answer to any. */
export function refusalEntry(key: string, refusal: string): TaskEntry {
  return { kind: 'answer', key, value: { refusal } }
}

function refusalIn(value: Fields): McpError | undefined {
  const isRefusal = typeof value.refusal === 'string' && Object.keys(value).length === 1
  return isRefusal ? new McpError('Input', value.refusal as string) : undefined
}

function accepted(value: Fields): Fields {
  const refusal = refusalIn(value)
  if (refusal) throw refusal
  return value
}

function unknownEffect(key: string): RpcError {
  const why = `step "${key}" had begun when the server stopped, and whether it took effect is unknown`
  return new RpcError(InternalError, `Cannot continue: ${why}`, { step: key })
}
