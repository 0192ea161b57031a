import type { SendOptions } from '../rpc/channel.ts'
import { every } from './timers.ts'

/**
 * Limits of what waits for a connection that does not read. The rule is the same on every transport:
 *
 * - Beyond `maxUnreadBytesPerConnection` an output is full: progress and log messages are dropped. Answers, input requests and
 *   change notifications wait; of several changes of one kind only the last one waits.
 * - Nothing more is read from that connection: a WebSocket and a pipe are paused, a POST of HTTP+SSE gets 503.
 * - A connection that reads nothing for `maxUnreadMs` is closed, and so are the slowest ones beyond `maxUnreadBytes` of all
 *   outputs together.
 */
export interface UnreadLimits {
  /** Bytes that may wait for one reader; beyond that, progress and log messages are dropped. @default 4_194_304 */
  readonly maxUnreadBytesPerConnection: number
  /** Bytes that may wait for all readers; beyond that, the slowest readers are disconnected. @default 268_435_456 */
  readonly maxUnreadBytes: number
  /** Milliseconds in which a reader must read something, plus one for every 64 bytes that wait. @default 60_000 */
  readonly maxUnreadMs: number
}

/** The default limits. */
export const unreadLimits = {
  maxUnreadBytesPerConnection: 4_194_304,
  maxUnreadBytes: 268_435_456,
  maxUnreadMs: 60_000,
} as const satisfies UnreadLimits

/** The output of one connection. */
export interface Output {
  /** Bytes that were written and not read. */
  readonly unreadBytes: number
  /** Closes it at once. */
  destroy(): void
}

/** The promise of a dropped message: resolves when its reader has caught up. */
export function dropped(full: Promise<void> | undefined, { droppable }: SendOptions = {}): Promise<void> | undefined {
  return droppable ? full : undefined
}

// progress within a large chunk is not visible, so it gets the time that a slow connection needs
const slowestBytesPerMs = 64
const leastBetweenLooksMs = 10
const mostBetweenLooksMs = 5_000
// a margin, so that the limit is not reached again at once
const lowWater = 0.9

interface Backlog {
  /** Bytes that were written since the reader fell behind. */
  written: number
  unread: number
  taken: number
  /** Time of the last read. */
  since: number
}

/** The outputs of an endpoint whose readers are behind. */
export class SlowReaders {
  readonly #limits: UnreadLimits
  readonly #backlogs = new Map<Output, Backlog>()
  readonly #lookMs: number
  #total = 0
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(limits: UnreadLimits) {
    this.#limits = limits
    this.#lookMs = Math.min(Math.max(limits.maxUnreadMs / 4, leastBetweenLooksMs), mostBetweenLooksMs)
  }

  /** The number of slow readers and of their unread bytes, at the last check. */
  get live(): { readonly readers: number; readonly bytes: number } {
    return { readers: this.#backlogs.size, bytes: this.#total }
  }

  /** True if an output is full, so that droppable messages are dropped. */
  isFull({ unreadBytes }: Pick<Output, 'unreadBytes'>): boolean {
    return unreadBytes > this.#limits.maxUnreadBytesPerConnection
  }

  /** Must be called after every write that leaves something unread. */
  wrote(output: Output, bytes: number): void {
    const unread = output.unreadBytes
    const backlog = this.#backlogs.get(output)
    if (unread === 0) return this.forget(output)
    if (backlog) backlog.written += Math.max(bytes, 0)
    else this.#backlogs.set(output, { written: unread, unread: 0, taken: 0, since: performance.now() })
    this.#look(output, unread)
    if (this.#total > this.#limits.maxUnreadBytes) this.#shed()
    this.#timer ??= every(this.#lookMs, () => this.#sweep())
  }

  /** Must be called when everything was read, or the output is closed. */
  forget(output: Output): void {
    this.#total -= this.#backlogs.get(output)?.unread ?? 0
    this.#backlogs.delete(output)
    if (this.#backlogs.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(output: Output, unread: number): void {
    const backlog = this.#backlogs.get(output)
    if (!backlog) return
    this.#total += unread - backlog.unread
    backlog.unread = unread
    const taken = backlog.written - unread
    if (taken <= backlog.taken) return
    backlog.taken = taken
    backlog.since = performance.now()
  }

  #lookAtAll(): void {
    for (const output of this.#backlogs.keys()) {
      const { unreadBytes } = output
      if (unreadBytes === 0) this.forget(output)
      else this.#look(output, unreadBytes)
    }
  }

  #sweep(): void {
    this.#lookAtAll()
    const now = performance.now()
    for (const [output, backlog] of this.#backlogs) {
      if (this.#deadline(backlog) <= now) this.#disconnect(output)
    }
  }

  /** Disconnects the slowest readers, but never the last one, because a single answer may be large. */
  #shed(): void {
    const { maxUnreadBytes } = this.#limits
    this.#lookAtAll()
    if (this.#total <= maxUnreadBytes) return
    const now = performance.now()
    const blame = ({ unread, since }: Backlog): number => unread * (now - since)
    const worstFirst = [...this.#backlogs].sort(([, one], [, other]) => blame(other) - blame(one))
    for (const [output] of worstFirst.slice(0, -1)) {
      if (this.#total <= lowWater * maxUnreadBytes) return
      this.#disconnect(output)
    }
  }

  #deadline({ since, unread }: Backlog): number {
    return since + this.#limits.maxUnreadMs + unread / slowestBytesPerMs
  }

  #disconnect(output: Output): void {
    this.forget(output)
    output.destroy()
  }
}
