import { waitOrAbort } from '../../rpc/abortable-wait.ts'

/** A task that several callers share; it is aborted when none of them waits any more. */
export class SingleFlight<Result> {
  readonly #controller = new AbortController()
  readonly #result: Promise<Result>
  #waiting = 0

  constructor(task: (signal: AbortSignal) => Promise<Result>) {
    this.#result = task(this.#controller.signal)
    // each waiting caller gets the rejection
    this.#result.catch(() => {})
  }

  /** True if it was aborted because no caller waited any more. */
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
