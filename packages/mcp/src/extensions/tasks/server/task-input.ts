import type { Caller, ClientInput, OnceOptions } from '../../../dialects/dialect.ts'
import type { InputLimits } from '../../../dialects/input-limits.ts'
import { QuestionKeys } from '../../../dialects/question-keys.ts'
import type { TaskRules } from '../../../dialects/tasks/task-rules.ts'
import type { Fields } from '../../../wire/messages.ts'
import type { TaskJournal } from './task-journal.ts'

export interface TaskInputParts {
  readonly journal: TaskJournal
  readonly rules: TaskRules
  readonly caller: Caller
  readonly limits: InputLimits
  /** Tells the caller something about the task, where that can be told. */
  tell(method: string, params: Fields): void
}

/** How the handler of a task asks and tells: questions wait in the task until somebody answers them. */
export class TaskInput implements ClientInput {
  readonly #parts: TaskInputParts
  readonly #keys: QuestionKeys

  /** `keys` are those of the questions that were asked before there was a task. */
  constructor(parts: TaskInputParts, keys: QuestionKeys = new QuestionKeys()) {
    this.#parts = parts
    this.#keys = keys
  }

  async ask(method: string, params: Fields, key?: string): Promise<Fields> {
    const { journal, rules, caller, limits } = this.#parts
    rules.assertAskable({ method, params, caller, asked: this.#keys.size + 1 }, limits)
    const question = { method, params }
    return journal.ask(this.#keys.keyOf(question, key), question)
  }

  tell(method: string, params: Fields): undefined {
    this.#parts.tell(method, params)
  }

  once<T>(key: string, run: () => T | Promise<T>, options?: OnceOptions): Promise<T> {
    return this.#parts.journal.once(key, run, options)
  }

  guard(outcome: Promise<Fields> | Fields): Promise<Fields> | Fields {
    return outcome
  }
}
