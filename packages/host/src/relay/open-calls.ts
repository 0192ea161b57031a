import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { PassingMap } from '@trunkline/mcp/relay'
import { type CallRound, HostEnding, OpenCall } from './open-call.ts'

export interface OpenCallLimits {
  /** Calls that may be open at the same time, those whose caller is away included. @default 10_000 */
  readonly maxOpenCalls?: number
  /** Milliseconds a call waits for its caller to come back before it is cancelled. @default 900_000 */
  readonly awayMs?: number
  /** Milliseconds the end of a call is kept for a caller who asks again. @default 300_000 */
  readonly keepMs?: number
}

const defaults = { maxOpenCalls: 10_000, awayMs: 900_000, keepMs: 300_000 } as const satisfies OpenCallLimits

const pollMs = 10

/** Reason why a call cannot be opened or resumed. */
export class OpenCallError extends Error {
  override readonly name = 'OpenCallError'
}

interface Kept {
  readonly call: OpenCall
  timer: NodeJS.Timeout | undefined
}

/** Every call that is worked on, or whose end is still kept. */
export class OpenCalls {
  readonly #calls = new PassingMap<string, Kept>()
  readonly #limits: Required<OpenCallLimits>
  /** Tells the calls of this process from those of an earlier one, whose callers may still come back. */
  readonly #run = randomUUID()
  #opened = 0
  #isEnding = false
  readonly #ending = (): boolean => this.#isEnding

  constructor(limits: OpenCallLimits = {}) {
    this.#limits = { ...defaults, ...limits }
  }

  get size(): number {
    return this.#calls.size
  }

  open(request: CallRound): OpenCall {
    if (this.#isEnding) throw new OpenCallError('Cannot open a call: the host is shutting down')
    const { maxOpenCalls } = this.#limits
    if (this.#calls.size >= maxOpenCalls)
      throw new OpenCallError(`Cannot open a call: ${maxOpenCalls} are open already`)
    this.#opened += 1
    const call = new OpenCall(`${this.#run}-${this.#opened}`, request, this.#ending)
    this.#calls.set(call.id, { call, timer: undefined })
    return call
  }

  /** The call that a caller comes back for; its process may have ended meanwhile. */
  find(id: unknown): OpenCall {
    const kept = typeof id === 'string' ? this.#calls.get(id) : undefined
    if (!kept)
      throw new OpenCallError(
        'Cannot go on with the call: the host was restarted or gave it up; what became of it is unknown',
      )
    clearTimeout(kept.timer)
    return kept.call
  }

  /** A round is over: the call is forgotten, kept for a while, or waits for its caller. */
  left(call: OpenCall): void {
    const kept = this.#calls.get(call.id)
    if (!kept) return
    if (!call.mayComeBack) return void this.#calls.delete(call.id)
    const { awayMs, keepMs } = this.#limits
    clearTimeout(kept.timer)
    kept.timer = setTimeout(
      () => {
        this.#calls.delete(call.id)
        call.cancel(new DOMException('The caller did not come back', 'AbortError'))
      },
      call.isOver ? keepMs : awayMs,
    )
    kept.timer.unref()
  }

  /** Opens no more calls; resolves when no caller waits for an answer any more, or after a while. */
  async drain(drainMs: number): Promise<void> {
    this.#isEnding = true
    const deadline = performance.now() + drainMs
    const isAwaited = () => [...this.#calls.values()].some(({ call }) => call.isAttached && !call.isOver)
    while (isAwaited() && performance.now() < deadline) await wait(pollMs)
  }

  /** Cancels everything. */
  close(): void {
    for (const { call, timer } of this.#calls.values()) {
      clearTimeout(timer)
      call.cancel(new HostEnding())
    }
    this.#calls.clear()
  }
}
