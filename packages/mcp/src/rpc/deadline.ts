import { McpError } from '../wire/errors.ts'

/** Time limits of a call. */
export interface DeadlineOptions {
  /** Milliseconds without an answer or progress before a call times out. @default 60_000 */
  readonly timeoutMs?: number
  /** Milliseconds that a call may take in total, progress or not. @default 600_000 */
  readonly maxTotalMs?: number
}

/** The callbacks of a deadline. */
export interface DeadlineEvents {
  expire(silence: string): void
  /** True while the channel waits for this side, so that the time does not count. */
  held(): boolean
}

export const deadlineDefaults = { timeoutMs: 60_000, maxTotalMs: 600_000 } as const satisfies DeadlineOptions

/** Times out a call without progress, or one that takes too long in total. */
export class Deadline {
  readonly #timeoutMs: number
  readonly #maxTotalMs: number
  readonly #events: DeadlineEvents
  readonly #startedAt = performance.now()
  #idle: Timer | undefined
  #total: Timer | undefined

  constructor({ timeoutMs = 60_000, maxTotalMs = 600_000 }: DeadlineOptions, events: DeadlineEvents) {
    this.#maxTotalMs = duration('maxTotalMs', maxTotalMs)
    this.#timeoutMs = Math.min(duration('timeoutMs', timeoutMs), this.#maxTotalMs)
    this.#events = events
    this.#wait()
  }

  /** Progress arrived: the timeout starts again, the total goes on. */
  touch(): void {
    clearTimeout(this.#idle)
    this.#wait()
    // only a prolonged call can exceed its total, so most calls need one timer
    if (this.#total !== undefined || this.#maxTotalMs === Number.POSITIVE_INFINITY) return
    this.#total = setTimeout(
      () => this.#events.expire(`no answer in ${Math.ceil(this.#maxTotalMs)} ms in total`),
      timerDelay(this.#left),
    )
  }

  stop(): void {
    clearTimeout(this.#idle)
    clearTimeout(this.#total)
  }

  get #left(): number {
    return this.#maxTotalMs - (performance.now() - this.#startedAt)
  }

  #wait(): void {
    if (this.#timeoutMs === Number.POSITIVE_INFINITY) return
    this.#idle = setTimeout(() => {
      // timers and clocks may differ by less than a millisecond
      if (this.#events.held() && this.#left > 1) this.touch()
      else this.#events.expire(`no answer in ${Math.ceil(this.#timeoutMs)} ms`)
    }, timerDelay(this.#timeoutMs))
  }
}

type Timer = ReturnType<typeof setTimeout>

// a longer delay makes timers fire at once
const longestDelayMs = 2 ** 31 - 1

/** Cuts a duration to what a timer can wait. */
export function timerDelay(ms: number): number {
  return Math.min(Math.max(ms, 0), longestDelayMs)
}

/** Checks a duration given by a user; `Infinity` stands for none. */
export function duration(name: string, ms: number): number {
  if (ms > 0) return ms
  throw new McpError('Misuse', `Cannot use ${name} ${ms}: must be a positive number of milliseconds, or Infinity`)
}
