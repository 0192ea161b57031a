import { McpError, RpcError } from '../wire/errors.ts'
import type { Fields, Id, Response } from '../wire/messages.ts'
import type { Labels } from './channel.ts'
import { Deadline, type DeadlineOptions } from './deadline.ts'

/** How far a request has come, as its receiver reports it. */
export interface Progress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** How one call is made, followed and given up. */
export interface CallOptions extends DeadlineOptions {
  /** Aborting cancels the call, which then rejects with the signal's own reason. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Told the id under which the call goes out, for protocols that refer to it later. */
  readonly onSent?: (id: Id) => void
  /** Given back to whoever answers what the other side asks during this call. */
  readonly context?: unknown
  /** The incoming request this call belongs to. */
  readonly relatedTo?: Id
  /** What travels beside the request where the channel has room for it. */
  readonly labels?: Labels | undefined
  /** What the request is about, where the channel shows that beside it and does not know the method. */
  readonly name?: string
  /** Whether giving up is told to the other side. @default true */
  readonly cancels?: boolean
  /** Whether the other side is invited to report progress. @default true */
  readonly token?: boolean
}

/** What a waiting call needs of its peer. */
export interface PendingEvents {
  giveUp(reason: unknown): void
  /** Whether the other side waits for an answer of ours meanwhile. */
  held(): boolean
}

/** One call that waits for its answer: the only thing that remembers it. */
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

  /** Reports progress to the caller; a report that does not go forward only counts as a sign of life. */
  progress(report: Progress): void {
    this.#deadline.touch()
    if (!(report.progress > this.#reached)) return
    this.#reached = report.progress
    this.#onProgress?.(report)
  }

  answer(response: Response): void {
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
