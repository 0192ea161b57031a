import { checkedDelay, every } from '../../timers.ts'
import { keepAliveComment } from './event-format.ts'
import type { EventSink } from './request-reply.ts'

/** Shows on every open connection now and then that somebody is there, by one timer for all of them. */
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

  /** Calls for a sign of life now and then, until the returned function is called. */
  add(sign: () => void): () => void {
    this.#signs.add(sign)
    this.#timer ??= every(this.#everyMs, () => {
      for (const give of this.#signs) give()
    })
    return () => this.#remove(sign)
  }

  /** Writes comments on a stream, so that nobody between takes silence for death. */
  addStream(sink: EventSink): () => void {
    return this.add(() => {
      // whoever has much to read needs no sign of life
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
