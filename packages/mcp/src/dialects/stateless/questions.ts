import type { Fields } from '../../wire/messages.ts'
import type { ClientQuestion } from '../dialect.ts'
import { QuestionKeys } from '../question-keys.ts'

/** The questions and answers of earlier runs of the handler. */
export interface Earlier {
  /** All answers so far, by key. */
  readonly answers: { readonly [key: string]: Fields }
  /** The open questions of the last run. */
  readonly asked: readonly string[]
}

/** Returns the answer in this request for a key, if there is one. */
export type Given = (key: string, method: string) => Fields | undefined

/** The questions of one run of a handler, matched with the answers so far. */
export class Questions {
  /** The open questions, by key. */
  readonly open = new Map<string, ClientQuestion>()
  readonly #answers: Map<string, Fields>
  readonly #due: Set<string>
  readonly #given: Given
  readonly #keys = new QuestionKeys()
  #asked = 0

  constructor({ answers, asked }: Earlier, given: Given) {
    this.#answers = new Map(Object.entries(answers))
    this.#due = new Set([...this.#answers.keys(), ...asked])
    this.#given = given
  }

  /** The number of questions of this run. */
  get asked(): number {
    return this.#asked
  }

  /** All answers so far, by key. */
  get answers(): { readonly [key: string]: Fields } {
    return Object.fromEntries(this.#answers)
  }

  /** True if this run did not repeat a question of an earlier one, so that it cannot be the same call. */
  get forgotten(): boolean {
    return this.#due.size > 0
  }

  /** The answer; undefined when the question is open. */
  ask(question: ClientQuestion, name?: string): Fields | undefined {
    this.#asked += 1
    const key = this.#keys.keyOf(question, name)
    this.#due.delete(key)
    const answer = this.#answers.get(key) ?? this.#given(key, question.method)
    if (answer) this.#answers.set(key, answer)
    else this.open.set(key, question)
    return answer
  }
}
