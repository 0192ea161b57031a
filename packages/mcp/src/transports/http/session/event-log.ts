import type { EventStore, StoredEvent } from '../../../stores/event-store.ts'
import { tryOrReport } from './try-or-report.ts'

export interface EventLogParts {
  /** The name of the stream in the store. */
  readonly key: string
  readonly store: EventStore
  /** Logs an internal error. */
  report(error: unknown, what: string): void
}

/** Events of one stream that wait for the store; more are not stored. */
const mostPending = 1_000

/** The events of one stream: numbered here, stored in an event store. */
export class EventLog {
  readonly #parts: EventLogParts
  #last = 0
  #pending = 0
  /** Set while the store is busy. */
  #kept: Promise<unknown> | undefined

  constructor(parts: EventLogParts) {
    this.#parts = parts
  }

  /** The number of the last event. */
  get last(): number {
    return this.#last
  }

  /** Numbers and stores an event; a failure of the store is logged, and the event is still sent. */
  append(data: string): StoredEvent {
    const event = { number: ++this.#last, data }
    const keeping = tryOrReport(() => this.#keep(event), this.#failed)
    if (keeping) this.#wait(keeping)
    return event
  }

  /** The events after a number; undefined when some are missing. */
  after(number: number): ReturnType<EventStore['after']> {
    const { key, store } = this.#parts
    const wanted = { stream: key, after: number, upTo: this.#last }
    return this.#kept ? this.#kept.then(() => eventsIn(store, wanted)) : eventsIn(store, wanted)
  }

  #keep(event: StoredEvent): void | Promise<void> {
    if (this.#pending >= mostPending) throw new Error(`The store is busy with ${mostPending} events of one stream`)
    return this.#parts.store.append(this.#parts.key, event)
  }

  #wait(keeping: Promise<void>): void {
    this.#pending += 1
    const kept = Promise.all([this.#kept, keeping]).then(() => {
      this.#pending -= 1
      if (this.#kept === kept) this.#kept = undefined
    })
    this.#kept = kept
  }

  readonly #failed = (error: unknown): void => this.#parts.report(error, 'Storing an event')
}

interface Wanted {
  readonly stream: string
  readonly after: number
  /** The number of the last event that must be included. */
  readonly upTo: number
}

/** The events of a stream without a gap; undefined when some are missing. */
export function eventsIn(store: EventStore, { stream, after, upTo }: Wanted): ReturnType<EventStore['after']> {
  const whole = (events: readonly StoredEvent[] | undefined): readonly StoredEvent[] | undefined => {
    const isWhole = events?.every(({ number }, at) => number === after + 1 + at) && after + events.length >= upTo
    return isWhole ? events : undefined
  }
  if (after > upTo) return undefined
  const found = store.after(stream, after)
  return found instanceof Promise ? found.then(whole) : whole(found)
}
