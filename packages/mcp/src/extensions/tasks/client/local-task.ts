import { hasEnded, type TaskState } from '../../../model/task.ts'
import type { CallToolResult } from '../../../model/types.ts'
import { RpcError } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import type { ClientTask, TaskWaitOptions } from './client-task.ts'
import { StateQueue } from './state-queue.ts'

/** A call without a task on the server: in flight, or answered already. */
export class LocalTask implements ClientTask {
  readonly id = undefined
  readonly #call: Promise<CallToolResult>
  readonly #stop: AbortController
  readonly #queues = new Set<StateQueue>()
  #state: TaskState
  #onDispose: 'cancel' | 'detach'

  constructor(call: Promise<CallToolResult>, stop: AbortController, onDispose: 'cancel' | 'detach' = 'cancel') {
    const now = Date.now()
    this.#state = { id: '', status: 'working', createdAt: now, updatedAt: now, ttlMs: null }
    this.#call = call
    this.#stop = stop
    this.#onDispose = onDispose
    call.then(
      (result) => this.#take({ status: 'completed', result: result as unknown as Fields }),
      (error) => this.#take(stop.signal.aborted ? { status: 'cancelled' } : { status: 'failed', ...wireOf(error) }),
    )
  }

  get state(): TaskState {
    return this.#state
  }

  /** Sets the status message. */
  tell(statusMessage: string): void {
    this.#take({ statusMessage })
  }

  result({ signal }: TaskWaitOptions = {}): Promise<CallToolResult> {
    if (!signal) return this.#call
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(signal.reason)
      if (signal.aborted) return stop()
      signal.addEventListener('abort', stop)
      this.#call.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
    })
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TaskState> {
    const queue = new StateQueue(this.#state)
    if (hasEnded(this.#state)) queue.end()
    this.#queues.add(queue)
    try {
      yield* queue
    } finally {
      this.#queues.delete(queue)
    }
  }

  async cancel(): Promise<void> {
    this.#stop.abort()
  }

  detach(): void {
    this.#onDispose = 'detach'
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#onDispose === 'cancel') this.#stop.abort()
  }

  #take(news: Partial<TaskState>): void {
    if (hasEnded(this.#state)) return
    this.#state = { ...this.#state, ...news, updatedAt: Date.now() }
    for (const queue of this.#queues) {
      queue.push(this.#state)
      if (hasEnded(this.#state)) queue.end()
    }
  }
}

function wireOf(error: unknown): Pick<TaskState, 'error' | 'statusMessage'> {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof RpcError)) return { statusMessage: message }
  return {
    statusMessage: message,
    error: { code: error.code, message, ...(error.data !== undefined && { data: error.data }) },
  }
}
