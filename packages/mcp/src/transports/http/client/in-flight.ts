import { PassingSet } from '../../../rpc/passing-set.ts'
import { McpError } from '../../../wire/errors.ts'

/** Options of a task. */
export interface RunOptions {
  /** Aborts this task. @default one of its own */
  readonly controller?: AbortController
  /** Milliseconds it may take. @default no limit */
  readonly limitMs?: number
}

/** The tasks in flight, which can all be aborted together. */
export class InFlight {
  readonly #controllers = new PassingSet<AbortController>()
  #stopped: Error | undefined

  get count(): number {
    return this.#controllers.size
  }

  /** Runs a task with a time limit; after `stop` none is started. */
  async run<Value>(
    task: (signal: AbortSignal) => Promise<Value>,
    { controller = new AbortController(), limitMs }: RunOptions = {},
  ): Promise<Value> {
    if (this.#stopped) throw this.#stopped
    const place = this.#controllers.add(controller)
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      if (limitMs === undefined) return await task(controller.signal)
      // a task may wait for something that ignores its signal
      const overdue = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          const problem = `The server did not answer in ${limitMs} ms`
          controller.abort(new McpError('Timeout', problem, { outcome: 'Unknown' }))
          reject(controller.signal.reason)
        }, limitMs)
      })
      return await Promise.race([task(controller.signal), overdue])
    } finally {
      clearTimeout(timer)
      this.#controllers.delete(place)
    }
  }

  stop(reason: Error): void {
    this.#stopped = reason
    for (const controller of this.#controllers) controller.abort(reason)
  }
}
