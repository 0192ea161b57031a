import type { CallResult, ChatEntry } from './entry.ts'
import type { ChatEvent } from './event.ts'

/** Events since the last entry of a conversation that is being answered. */
export interface UnderwayNow {
  /** Text of the model so far. */
  readonly text: string
  /** Calls that have ended, while others of the same answer have not. */
  readonly results: readonly CallResult[]
  /** Calls that wait for a person, each with its question. */
  readonly waiting: readonly { readonly id: string; readonly question: string }[]
}

/** Keeps the events that are not an entry yet, for a page that is opened in the middle of an answer. */
export class Underway {
  readonly stop = new AbortController()
  #text: string[] = []
  #results: CallResult[] = []
  #waiting = new Map<string, string>()

  get now(): UnderwayNow {
    const waiting = [...this.#waiting].map(([id, question]) => ({ id, question }))
    return { text: this.#text.join(''), results: this.#results, waiting }
  }

  happened(event: ChatEvent): void {
    if (event.type === 'text') this.#text.push(event.text)
    if (event.type === 'waiting') this.#waiting.set(event.id, event.question)
    if (event.type !== 'result') return
    const { type: _type, ...result } = event
    this.#results.push(result)
    this.#waiting.delete(event.id)
  }

  /** An entry holds all of its kind that was said before it. */
  added({ by }: ChatEntry): void {
    if (by === 'model') this.#text = []
    if (by === 'tools') {
      this.#results = []
      this.#waiting = new Map()
    }
  }
}
