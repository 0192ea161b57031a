import { McpError, RpcError } from '../wire/errors.ts'
import type { Fields, Id, ResponseMessage } from '../wire/messages.ts'
import type { Labels } from './channel.ts'
import { Deadline, type DeadlineOptions } from './deadline.ts'

/** The progress of a request. */
export interface Progress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** Options of one call. */
export interface CallOptions extends DeadlineOptions {
  /** Cancels the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Receives the id of the call. */
  readonly onSent?: (id: Id) => void
  /** Receives a result that crossed the cancellation of the call, unchecked. */
  readonly onLateResult?: (result: Fields) => void
  /** Passed to the handlers of requests that the other side sends during this call. */
  readonly context?: unknown
  /** The incoming request that this call belongs to. */
  readonly relatedTo?: Id
  /** Header parameters of the request. */
  readonly labels?: Labels | undefined
  /** The target of the request, when the channel does not know its method. */
  readonly name?: string
  /** True if cancellation is sent to the other side. @default true */
  readonly cancels?: boolean
  /** True if a progress token is sent. @default true */
  readonly token?: boolean
}

/** The callbacks of a pending call. */
export interface PendingEvents {
  giveUp(reason: unknown): void
  /** True while time limits are paused. */
  held(): boolean
}

/** A call that waits for its response: its listeners, timers and promise. */
export class PendingCall {
  readonly method: string
  readonly context: unknown
  readonly promise: Promise<Fields>
  #resolve!: (result: Fields) => void
  #reject!: (reason: unknown) => void
  readonly #onProgress: CallOptions['onProgress']
  readonly #deadline: Deadline
  readonly #signal: AbortSignal | undefined
  readonly #events: PendingEvents
  #reached = Number.NEGATIVE_INFINITY

  constructor(method: string, options: CallOptions, events: PendingEvents) {
    this.method = method
    this.context = options.context
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.#onProgress = options.onProgress
    this.#events = events
    this.#deadline = new Deadline(options, {
      held: events.held,
      expire: (silence) =>
        events.giveUp(new McpError('Timeout', `Cannot finish "${method}": ${silence}`, { outcome: 'Unknown' })),
    })
    this.#signal = options.signal
    this.#signal?.addEventListener('abort', this.#onAbort)
  }

  /** Reports progress to the caller; a report that does not increase only restarts the timeout. */
  progress(report: Progress): void {
    this.#deadline.touch()
    if (!(report.progress > this.#reached)) return
    this.#reached = report.progress
    this.#onProgress?.(report)
  }

  answer(response: ResponseMessage): void {
    this.#release()
    if ('result' in response) this.#resolve(response.result)
    else this.#reject(new RpcError(response.error.code, response.error.message, response.error.data))
  }

  fail(reason: unknown): void {
    this.#release()
    this.#reject(reason)
  }

  readonly #onAbort = (): void => this.#events.giveUp(this.#signal?.reason)

  #release(): void {
    this.#deadline.stop()
    this.#signal?.removeEventListener('abort', this.#onAbort)
  }
}
