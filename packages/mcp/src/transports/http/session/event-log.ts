import type { EventStore, StoredEvent } from '../../../stores/event-store.ts'
import { tryOrReport } from './try-or-report.ts'

export interface EventLogParts {
  /** Names the stream in the store. */
  readonly key: string
  readonly store: EventStore
  /** Takes note of an error that nobody outside should know more about. */
  report(error: unknown, what: string): void
}

/** Events of one stream that a store may be busy with; more are not kept. */
const mostPending = 1_000

/** The events of one stream: numbered here, kept in a store. */
export class EventLog {
  readonly #parts: EventLogParts
  #last = 0
  #pending = 0
  /** There while the store is busy with events, until it is with none of them. */
  #kept: Promise<unknown> | undefined

  constructor(parts: EventLogParts) {
    this.#parts = parts
  }

  /** The number of the last event. */
  get last(): number {
    return this.#last
  }

  /** Numbers an event and keeps it; that it cannot be kept is no reason not to send it. */
  append(data: string): StoredEvent {
    const event = { number: ++this.#last, data }
    const keeping = tryOrReport(() => this.#keep(event), this.#failed)
    if (keeping) this.#wait(keeping)
    return event
  }

  /** Every event after a number; nothing when some of them are not there. */
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

  readonly #failed = (error: unknown): void => this.#parts.report(error, 'Keeping an event')
}

interface Wanted {
  readonly stream: string
  readonly after: number
  /** The last event that must be among them. */
  readonly upTo: number
}

/** Events in a store, without a gap; nothing when some of them are not there. */
export function eventsIn(store: EventStore, { stream, after, upTo }: Wanted): ReturnType<EventStore['after']> {
  const whole = (events: readonly StoredEvent[] | undefined): readonly StoredEvent[] | undefined => {
    const isWhole = events?.every(({ number }, at) => number === after + 1 + at) && after + events.length >= upTo
    return isWhole ? events : undefined
  }
  if (after > upTo) return undefined
  const found = store.after(stream, after)
  return found instanceof Promise ? found.then(whole) : whole(found)
}
