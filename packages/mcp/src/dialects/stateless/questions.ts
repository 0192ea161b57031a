import { canonicalJson } from '../../wire/canonical.ts'
import type { Fields } from '../../wire/messages.ts'
import { shortHash } from './short-hash.ts'

export interface InputQuestion {
  readonly method: string
  readonly params: Fields
}

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
  readonly open = new Map<string, InputQuestion>()
  readonly #answers: Map<string, Fields>
  readonly #due: Set<string>
  readonly #given: Given
  readonly #times = new Map<string, number>()
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
  ask(question: InputQuestion, name?: string): Fields | undefined {
    this.#asked += 1
    const key = this.#keyOf(question, name)
    this.#due.delete(key)
    const answer = this.#answers.get(key) ?? this.#given(key, question.method)
    if (answer) this.#answers.set(key, answer)
    else this.open.set(key, question)
    return answer
  }

  // a question is known again by its name or by what it asks, and by how often the same was asked before
  #keyOf({ method, params: { _meta, ...asked } }: InputQuestion, name?: string): string {
    const key = name ?? `${method.split('/')[0]}-${shortHash(`${method} ${canonicalJson(asked)}`)}`
    const times = this.#times.get(key) ?? 0
    this.#times.set(key, times + 1)
    return times === 0 ? key : `${key}-${times}`
  }
}
