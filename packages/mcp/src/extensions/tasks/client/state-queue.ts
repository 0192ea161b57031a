import type { TaskState } from '../../../model/task.ts'

/** An iterator over the states of a task; a slow consumer misses some, but never the last. */
export class StateQueue implements AsyncIterable<TaskState> {
  #next: TaskState | undefined
  #hasEnded = false
  #error: { readonly reason: unknown } | undefined
  #wake: () => void = () => {}

  constructor(first: TaskState) {
    this.#next = first
  }

  push(state: TaskState): void {
    this.#next = state
    this.#wake()
  }

  end(): void {
    this.#hasEnded = true
    this.#wake()
  }

  fail(reason: unknown): void {
    this.#error = { reason }
    this.end()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TaskState> {
    for (;;) {
      const state = this.#next
      this.#next = undefined
      if (state) yield state
      else if (this.#error) throw this.#error.reason
      else if (this.#hasEnded) return
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }
}
