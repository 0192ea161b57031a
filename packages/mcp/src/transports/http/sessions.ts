import { delay } from '../within.ts'
import { type EventStore, MemoryEventStore } from './event-log.ts'
import { HttpRefusal } from './face.ts'
import { randomId } from './random-id.ts'
import { Session, type SessionParts } from './session.ts'

export interface SessionOptions {
  /** Sessions at the same time; more are refused. @default 5_000 */
  readonly most?: number
  /** Sessions of one caller at the same time. @default 256 */
  readonly mostPerCaller?: number
  /** Milliseconds without a request or a listener after which a session is over. @default 1_800_000 */
  readonly idleMs?: number
  /** Milliseconds a client waits before it comes back to a stream it lost; each is told up to three times that. @default 1_000 */
  readonly retryMs?: number
  /** Keeps events for clients that come back. @default in memory, bounded */
  readonly events?: EventStore
}

const defaults = { most: 5_000, mostPerCaller: 256, idleMs: 1_800_000, retryMs: 1_000 } as const

/** What every session needs of its endpoint. */
export type SessionsParts = Pick<SessionParts, 'serve' | 'take'>

/** Every session of one endpoint, by id and by caller. */
export class Sessions {
  readonly #options: Required<SessionOptions>
  readonly #parts: SessionsParts
  readonly #open = new Map<string, { readonly session: Session; seenAt: number }>()
  #sweep: ReturnType<typeof setInterval> | undefined

  constructor(parts: SessionsParts, options: SessionOptions = {}) {
    const { idleMs, retryMs, ...rest } = { ...defaults, events: new MemoryEventStore(), ...options }
    this.#options = { ...rest, idleMs: delay('idleMs', idleMs), retryMs: delay('retryMs', retryMs) }
    this.#parts = parts
  }

  get size(): number {
    return this.#open.size
  }

  /** Starts a session for whoever was authenticated, if anybody was. */
  start(principal: string | undefined): Session {
    const { most, mostPerCaller, events, retryMs } = this.#options
    // where timers end with the request that set them, nothing else sweeps
    if (this.#open.size >= most) this.#expire()
    const own =
      principal === undefined
        ? 0
        : [...this.#open.values()].filter(({ session }) => session.principal === principal).length
    if (this.#open.size >= most || own >= mostPerCaller) {
      throw new HttpRefusal(503, 'Too many sessions', { 'retry-after': '10' })
    }
    const id = randomId()
    const session = new Session({
      ...this.#parts,
      id,
      principal,
      store: events,
      retryMs,
      onClose: () => this.#forget(id),
    })
    this.#open.set(id, { session, seenAt: performance.now() })
    this.#sweep ??= every(Math.min(this.#options.idleMs, 60_000), () => this.#expire())
    return session
  }

  /** The session of this id, if it is this caller's; another caller's does not exist for them. */
  find(id: string, principal: string | undefined): Session | undefined {
    const entry = this.#open.get(id)
    if (!entry || entry.session.principal !== principal) return undefined
    entry.seenAt = performance.now()
    return entry.session
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ session }) => session.close()))
  }

  #forget(id: string): void {
    this.#open.delete(id)
    if (this.#open.size > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }

  #expire(): void {
    const before = performance.now() - this.#options.idleMs
    for (const entry of this.#open.values()) {
      if (entry.session.isBusy) entry.seenAt = performance.now()
      else if (entry.seenAt < before) void entry.session.close()
    }
  }
}

/** A timer that does not keep a process alive, where that can be said. */
function every(ms: number, run: () => void): ReturnType<typeof setInterval> {
  const timer = setInterval(run, ms)
  if (typeof timer === 'object') timer.unref()
  return timer
}
