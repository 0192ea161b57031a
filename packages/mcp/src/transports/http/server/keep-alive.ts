import { checkedDelay, every } from '../../timers.ts'
import { keepAliveComment } from './event-format.ts'
import type { EventSink } from './request-reply.ts'

/** Calls back for keep-alives on all open connections, with one timer. */
export class KeepAlive {
  readonly #everyMs: number
  readonly #signs = new Set<() => void>()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(everyMs: number) {
    this.#everyMs = checkedDelay('keepAliveMs', everyMs)
  }

  get size(): number {
    return this.#signs.size
  }

  /** Calls back at every interval, until the returned function is called. */
  add(sign: () => void): () => void {
    this.#signs.add(sign)
    this.#timer ??= every(this.#everyMs, () => {
      for (const give of this.#signs) give()
    })
    return () => this.#remove(sign)
  }

  /** Writes comments on a stream, so that proxies keep it open. */
  addStream(sink: EventSink): () => void {
    return this.add(() => {
      // a stream with unread data needs no keep-alive
      if (!sink.full) void sink.write(keepAliveComment)
    })
  }

  #remove(sign: () => void): void {
    this.#signs.delete(sign)
    if (this.#signs.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
