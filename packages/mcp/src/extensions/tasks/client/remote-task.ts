import type { ClientHost } from '../../../client/extension.ts'
import type { AnswerInput } from '../../../dialects/dialect.ts'
import type { TaskClientRules } from '../../../dialects/tasks/client-rules.ts'
import { hasEnded, type TaskState } from '../../../model/task.ts'
import type { CallToolResult } from '../../../model/types.ts'
import { waitOrAbort } from '../../../rpc/abortable-wait.ts'
import { McpError, RpcError } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import type { ClientTask, TaskFollowOptions, TaskWaitOptions } from './client-task.ts'
import { retryWhileUnreachable } from './retry-while-unreachable.ts'
import { StateQueue } from './state-queue.ts'
import type { TaskFeed } from './task-feed.ts'

export interface RemoteTaskParts {
  readonly host: ClientHost
  readonly rules: TaskClientRules
  readonly feed: TaskFeed
  readonly outageMs: number
}

export interface RemoteTaskOptions extends TaskFollowOptions {
  readonly onDispose: 'cancel' | 'detach'
  /** The `context` of the call that became the task, for the handlers that answer its questions. */
  readonly context?: unknown
  /** Replaces the result of the server. @default what the server gives */
  readonly result?: () => Promise<CallToolResult>
}

/** Bounds of the polling interval that the server asks for. */
const poll = { defaultMs: 1_000, leastMs: 50, mostMs: 60_000, whileHeardMs: 30_000 } as const

const forever = { timeoutMs: Number.POSITIVE_INFINITY, maxTotalMs: Number.POSITIVE_INFINITY } as const

/** The handle of a task on the server. */
export class RemoteTask implements ClientTask {
  readonly id: string
  readonly #parts: RemoteTaskParts
  readonly #answer: AnswerInput
  readonly #context: unknown
  readonly #result: (() => Promise<CallToolResult>) | undefined
  readonly #answered = new Set<string>()
  readonly #queues = new Set<StateQueue>()
  readonly #ending = new AbortController()
  /** Aborts when the handle is disposed or the connection is closed. */
  readonly #signal: AbortSignal
  #onDispose: 'cancel' | 'detach'
  #state: TaskState
  #following: Promise<TaskState> | undefined
  #fetching: Promise<Fields> | undefined
  /** True if there was news since the state was last asked for. */
  #hasNews = false
  #endWait: () => void = () => {}

  constructor(state: TaskState, parts: RemoteTaskParts, options: RemoteTaskOptions) {
    this.id = state.id
    this.#state = state
    this.#parts = parts
    this.#onDispose = options.onDispose
    this.#signal = AbortSignal.any([this.#ending.signal, parts.host.gone])
    this.#answer = options.answer ?? parts.host.answer
    this.#context = options.context
    this.#result = options.result
  }

  get state(): TaskState {
    return this.#state
  }

  /** The result as the server sent it. */
  async outcome(signal?: AbortSignal): Promise<Fields> {
    const { rules } = this.#parts
    if (rules.fetchesResult) return waitOrAbort(this.#fetched(), signal)
    const { status, result, error, statusMessage } = await waitOrAbort(this.#followed(), signal)
    if (status === 'completed') return result ?? {}
    if (error) throw new RpcError(error.code, error.message, error.data)
    throw new McpError('Cancelled', `Cannot finish task "${this.id}": ${statusMessage ?? `it was ${status}`}`)
  }

  async result({ signal }: TaskWaitOptions = {}): Promise<CallToolResult> {
    if (this.#result) return waitOrAbort(this.#result(), signal)
    return (await this.outcome(signal)) as unknown as CallToolResult
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TaskState> {
    const queue = new StateQueue(this.#state)
    this.#queues.add(queue)
    const followed = this.#followed()
    followed.then(
      () => queue.end(),
      (error) => queue.fail(error),
    )
    try {
      yield* queue
    } finally {
      this.#queues.delete(queue)
    }
  }

  async cancel(): Promise<void> {
    const { host } = this.#parts
    try {
      await host.request('tasks/cancel', { taskId: this.id })
    } catch (error) {
      // a task that has ended cannot be cancelled
      if (!(error instanceof RpcError) || !hasEnded(await this.#get())) throw error
    }
    this.#wake()
  }

  detach(): void {
    this.#onDispose = 'detach'
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const isOpen = !hasEnded(this.#state)
    this.#ending.abort(new McpError('Closed', `Cannot finish task "${this.id}": its handle was disposed`))
    if (isOpen && this.#onDispose === 'cancel') await this.cancel()
  }

  /** Follows the task to its end, once for all waiters. */
  #followed(): Promise<TaskState> {
    this.#following ??= this.#follow().finally(() => {
      this.#following = undefined
    })
    return this.#following
  }

  async #follow(): Promise<TaskState> {
    const { feed } = this.#parts
    const stop = feed.follow(this.id, {
      told: (state) => {
        this.#take(state)
        this.#wake()
      },
      lost: () => this.#wake(),
    })
    try {
      while (!hasEnded(this.#state)) {
        const failure = this.#askedFor()
        await Promise.race([this.#wait(this.#signal), ...failure])
        if (hasEnded(this.#state)) break
        this.#hasNews = false
        this.#take(await this.#get())
      }
      return this.#state
    } finally {
      stop()
    }
  }

  // resolves on a notification, or when it is time to poll
  #wait(signal: AbortSignal): Promise<void> {
    const { pollMs = poll.defaultMs } = this.#state
    const ms = this.#parts.feed.hears(this.id)
      ? Math.max(pollMs, poll.whileHeardMs)
      : Math.min(Math.max(pollMs, poll.leastMs), poll.mostMs)
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', stop)
        if (signal.aborted) reject(signal.reason)
        else resolve()
      }
      const timer = setTimeout(stop, ms)
      this.#endWait = stop
      signal.addEventListener('abort', stop)
      // news that came with the last state may be newer than that
      if (signal.aborted || this.#hasNews) stop()
    })
  }

  #wake(): void {
    this.#hasNews = true
    this.#endWait()
  }

  #take(state: TaskState): void {
    // an older state must not replace a newer one, and an end is final
    if (hasEnded(this.#state) || (!hasEnded(state) && state.updatedAt < this.#state.updatedAt)) return
    this.#state = state
    for (const queue of this.#queues) queue.push(state)
  }

  async #get(): Promise<TaskState> {
    const { host, rules, feed, outageMs } = this.#parts
    const signal = this.#signal
    const ask = () => host.request('tasks/get', { taskId: this.id }, { signal })
    const state = rules.shown(await retryWhileUnreachable(ask, { outageMs, signal }))
    feed.reached()
    return state
  }

  /** Answers the open questions; the promises reject when that fails, and never resolve. */
  #askedFor(): readonly Promise<never>[] {
    const { rules } = this.#parts
    if (this.#state.status !== 'input_required') return []
    if (rules.fetchesResult) return [failing(this.#fetched())]
    const open = Object.entries(this.#state.questions ?? {}).filter(([key]) => !this.#answered.has(key))
    return open.map(([key, { method, params }]) => {
      this.#answered.add(key)
      const during = { context: this.#context, signal: this.#signal, key }
      return failing(this.#reply(key, this.#answer(method, params, during)))
    })
  }

  async #reply(key: string, answering: Promise<Fields>): Promise<void> {
    const { host, outageMs } = this.#parts
    const signal = this.#signal
    const params = { taskId: this.id, inputResponses: { [key]: await answering } }
    await retryWhileUnreachable(() => host.request('tasks/update', params, { signal }), { outageMs, signal })
    this.#wake()
  }

  /** Fetches the result, once for all waiters; meanwhile the server sends the input requests of the task. */
  #fetched(): Promise<Fields> {
    const { host, outageMs } = this.#parts
    const signal = this.#signal
    this.#fetching ??= retryWhileUnreachable(
      () => host.request('tasks/result', { taskId: this.id }, { ...forever, signal }),
      {
        outageMs,
        signal,
      },
    )
      .catch((error: unknown) => {
        this.#fetching = undefined
        throw error
      })
      .finally(() => this.#wake())
    return this.#fetching
  }
}

function failing(promise: Promise<unknown>): Promise<never> {
  return new Promise((_resolve, reject) => {
    promise.catch(reject)
  })
}
