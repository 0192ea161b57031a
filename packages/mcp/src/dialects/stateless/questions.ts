import type { Fields } from '../../wire/messages.ts'
import type { ClientQuestion } from '../dialect.ts'
import { QuestionKeys } from '../question-keys.ts'

/** What earlier runs of the handler asked. */
export interface Earlier {
  /** Every answer they were given, by question. */
  readonly answers: { readonly [key: string]: Fields }
  /** The questions that the last of them left open. */
  readonly asked: readonly string[]
}

/** The answer that came with the request to the question of this key, if one did. */
export type Given = (key: string, method: string) => Fields | undefined

/** What one run of a handler asks, held against the answers it was given. */
export class Questions {
  /** Questions without an answer yet, by key. */
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

  /** How many questions this run asked. */
  get asked(): number {
    return this.#asked
  }

  /** Every answer so far, by question. */
  get answers(): { readonly [key: string]: Fields } {
    return Object.fromEntries(this.#answers)
  }

  /** Whether an earlier run asked something that this one did not, so that the two cannot be the same call. */
  get forgotten(): boolean {
    return this.#due.size > 0
  }

  /** The answer, or nothing: then the question is open. */
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
