import type { ShownQuestion } from './show.ts'

/** Puts one question at a time to the person; what is to be shown meanwhile waits until it is answered. */
export class PlaceQuestions {
  readonly #answer: (question: ShownQuestion, signal: AbortSignal) => Promise<void>
  readonly #waiting = new Map<string, AbortController>()
  #last: Promise<void> = Promise.resolve()

  constructor(answer: (question: ShownQuestion, signal: AbortSignal) => Promise<void>) {
    this.#answer = answer
  }

  ask(question: ShownQuestion): void {
    const stop = new AbortController()
    this.#waiting.set(question.id, stop)
    this.#last = this.#last
      .then(() => (stop.signal.aborted ? undefined : this.#answer(question, stop.signal)))
      // it was taken back, or answered elsewhere meanwhile
      .catch(() => {})
      .finally(() => this.#waiting.delete(question.id))
  }

  /** Withdraws a question that was answered elsewhere or has become irrelevant. */
  withdraw(id: string): boolean {
    const stop = this.#waiting.get(id)
    stop?.abort(new Error('The question was withdrawn'))
    return stop !== undefined
  }

  /** Shows something, now or after the question that is being asked. */
  after(show: () => void): void {
    if (this.#waiting.size === 0) show()
    else this.#last = this.#last.then(show)
  }

  /** Takes back what is still asked; resolves when the screen is free. */
  async end(): Promise<void> {
    for (const id of this.#waiting.keys()) this.withdraw(id)
    await this.#last
  }
}
