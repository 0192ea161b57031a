/** Runs tasks of the same name one after the other. */
export class NamedMutex {
  readonly #last = new Map<string, Promise<void>>()

  /** Runs a task after those before it, unless the signal has aborted by then. */
  async run<Result>(name: string, task: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const before = this.#last.get(name) ?? Promise.resolve()
    let finish = (): void => {}
    const own = new Promise<void>((resolve) => {
      finish = resolve
    })
    const turn = before.then(() => own)
    this.#last.set(name, turn)
    void turn.then(() => this.#last.get(name) === turn && this.#last.delete(name))
    try {
      await before
      signal?.throwIfAborted()
      return await task()
    } finally {
      finish()
    }
  }
}
