import type {
  AskingOptions,
  ClientInput,
  InputRequired,
  OnceOptions,
  ServerRequest,
} from '../../../dialects/dialect.ts'
import { QuestionKeys } from '../../../dialects/question-keys.ts'
import { SideEffects } from '../../../dialects/side-effects.ts'
import { Incoming } from '../../../rpc/incoming.ts'
import type { TaskEntry } from '../../../stores/task-store.ts'
import type { Fields } from '../../../wire/messages.ts'
import type { TaskInput } from './task-input.ts'
import type { TaskRun } from './task-run.ts'

/** The task that a call has become. */
interface Detached {
  readonly run: TaskRun
  readonly input: TaskInput
}

/** Events of a call before it became a task, which the task is kept with. */
interface Before {
  readonly keys: QuestionKeys
  readonly entries: readonly TaskEntry[]
}

/** Asks within the call until the handler detaches, and in its task from then on. */
export class DetachableInput implements ClientInput {
  /** The request that the handler sees: the call's until there is a task. */
  readonly incoming: Incoming
  readonly #request: ServerRequest
  readonly #detach: (before: Before) => Promise<Detached>
  readonly #keys = new QuestionKeys()
  readonly #given: TaskEntry[] = []
  readonly #effects = new Map<string, Fields>()
  readonly #running = new SideEffects()
  #detached: Promise<Detached> | undefined
  #now: TaskInput | undefined

  constructor(request: ServerRequest, detach: (before: Before) => Promise<Detached>) {
    this.#request = request
    this.#detach = detach
    const { id, method, params, sender, signal } = request.incoming
    this.incoming = new Incoming({ jsonrpc: '2.0', id, method, params }, sender, {
      call: (asked, fields, options) => request.incoming.call(asked, fields, options),
      notify: (told, fields) => request.incoming.notify(told, fields),
    })
    signal.addEventListener('abort', () => {
      if (!this.#detached) this.incoming.abort(signal.reason)
    })
  }

  /** Turns the call into a task, with its questions and side effects so far. */
  detach(): Promise<void> {
    this.#detached ??= this.#becomeTask().catch((error: unknown) => {
      // without a task it is still the call that it was
      this.#detached = undefined
      throw error
    })
    return this.#detached.then(() => {})
  }

  async ask(method: string, params: Fields, options?: AskingOptions): Promise<Fields> {
    if (this.#now) return this.#now.ask(method, params, options)
    const question = { method, params }
    const name = this.#keys.keyOf(question, options?.key)
    const answer = await this.#request.input.ask(method, params, options)
    this.#given.push({ kind: 'question', key: name, value: question }, { kind: 'answer', key: name, value: answer })
    return answer
  }

  tell(method: string, params: Fields): Promise<void> | undefined {
    return (this.#now ?? this.#request.input).tell(method, params)
  }

  once<T>(key: string, run: () => T | Promise<T>, options?: OnceOptions): Promise<T> {
    // one that began in the call does not begin again in its task
    return this.#running.once(key, () =>
      this.#now ? this.#now.once(key, run, options) : this.#onceEarly(key, run, options),
    )
  }

  async #onceEarly<T>(key: string, run: () => T | Promise<T>, options?: OnceOptions): Promise<T> {
    this.#effects.set(key, { state: 'begun' })
    const value = await this.#request.input.once(key, run, options).catch((error) => {
      this.#effects.delete(key)
      throw error
    })
    this.#effects.set(key, { state: 'done', value: value ?? null })
    // there may be a task meanwhile, which knows of the beginning only
    const detached = await this.#detached
    await detached?.run.journal.did(key, value)
    return value
  }

  guard(outcome: Promise<Fields> | Fields): Promise<Fields | InputRequired> | Fields {
    return this.#request.input.guard(outcome)
  }

  async #becomeTask(): Promise<Detached> {
    const effects = [...this.#effects].map(([key, value]) => ({ kind: 'effect' as const, key, value }))
    const detached = await this.#detach({ keys: this.#keys, entries: [...this.#given, ...effects] })
    const { run, input } = detached
    run.incoming.signal.addEventListener('abort', () => this.incoming.abort(run.incoming.signal.reason))
    this.#now = input
    return detached
  }
}
