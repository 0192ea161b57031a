import type { AskingOptions, Caller, ClientInput, OnceOptions } from '../../../dialects/dialect.ts'
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
  /** Sends a notification about the task, if the revision has it. */
  tell(method: string, params: Fields): void
}

/** The input of a task's handler: questions wait in the task until they are answered. */
export class TaskInput implements ClientInput {
  readonly #parts: TaskInputParts
  readonly #keys: QuestionKeys

  /** `keys` are the keys of the questions that were asked before there was a task. */
  constructor(parts: TaskInputParts, keys: QuestionKeys = new QuestionKeys()) {
    this.#parts = parts
    this.#keys = keys
  }

  async ask(method: string, params: Fields, { key }: AskingOptions = {}): Promise<Fields> {
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
