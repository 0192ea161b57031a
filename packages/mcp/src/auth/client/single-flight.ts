import { waitOrAbort } from '../shared/wait-or-abort.ts'

/** A task that many wait for together; it ends early when nobody waits any more. */
export class SingleFlight<Result> {
  readonly #controller = new AbortController()
  readonly #result: Promise<Result>
  #waiting = 0

  constructor(task: (signal: AbortSignal) => Promise<Result>) {
    this.#result = task(this.#controller.signal)
    // whoever waits hears of it
    this.#result.catch(() => {})
  }

  /** Whether nobody waited for it any more, so that there is nothing to join. */
  get isAbandoned(): boolean {
    return this.#controller.signal.aborted
  }

  /** Waits for the task, or for the signal. */
  async join(signal: AbortSignal | undefined): Promise<Result> {
    this.#waiting++
    try {
      return await waitOrAbort(this.#result, signal)
    } finally {
      this.#waiting--
      if (this.#waiting === 0) this.#controller.abort()
    }
  }
}
