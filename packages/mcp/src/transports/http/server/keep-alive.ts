import { checkedDelay } from '../../time-limit.ts'
import { keepAliveComment } from './event-format.ts'
import type { EventSink } from './request-reply.ts'

/** Writes a comment on every open stream now and then, so that nobody between takes silence for death. */
export class KeepAlive {
  readonly #everyMs: number
  readonly #sinks = new Set<EventSink>()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(everyMs: number) {
    this.#everyMs = checkedDelay('keepAliveMs', everyMs)
  }

  get size(): number {
    return this.#sinks.size
  }

  add(sink: EventSink): void {
    this.#sinks.add(sink)
    if (this.#timer !== undefined) return
    this.#timer = setInterval(() => {
      for (const open of this.#sinks) void open.write(keepAliveComment)
    }, this.#everyMs)
    if (typeof this.#timer === 'object') this.#timer.unref()
  }

  remove(sink: EventSink): void {
    this.#sinks.delete(sink)
    if (this.#sinks.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
