import { resolveKnownLimits } from '../wire/resolve-limits.ts'
import type { AppendOptions, AppendRefusal, EventStore, StoredEvent, StreamHead } from './event-store.ts'

/** Limits of a {@link MemoryEventStore}. */
export interface EventStoreLimits {
  /** Events of one stream. @default 1_000 */
  readonly maxEventsPerStream?: number
  /** Characters of one stream. @default 1_048_576 */
  readonly maxCharsPerStream?: number
  /** Characters of all streams together. @default 67_108_864 */
  readonly maxChars?: number
}

/** The default limits of a store. */
export const eventStoreLimits = {
  maxEventsPerStream: 1_000,
  maxCharsPerStream: 1_048_576,
  maxChars: 67_108_864,
} as const satisfies EventStoreLimits

interface Log {
  readonly events: StoredEvent[]
  size: number
  last: number
  writer?: string
  isClosed: boolean
}

/** An event store in memory; when it is full, the oldest events are dropped first. */
export class MemoryEventStore implements EventStore {
  readonly #limits: Required<EventStoreLimits>
  readonly #logs = new Map<string, Log>()
  #size = 0

  constructor(options: { readonly limits?: EventStoreLimits } = {}) {
    this.#limits = resolveKnownLimits(eventStoreLimits, options.limits)
  }

  append(stream: string, event: StoredEvent): void {
    const log = this.#logs.get(stream) ?? { events: [], size: 0, last: 0, isClosed: false }
    // the least recently written stream loses its events first
    this.#logs.delete(stream)
    this.#logs.set(stream, log)
    log.last = event.number
    log.events.push(event)
    this.#grow(log, event.data.length)
    while (log.events.length > this.#limits.maxEventsPerStream || log.size > this.#limits.maxCharsPerStream)
      this.#shed(log)
    while (this.#size > this.#limits.maxChars) this.#shedOldest()
  }

  appendIf(
    stream: string,
    event: StoredEvent,
    { writer, closes = false }: AppendOptions = {},
  ): AppendRefusal | undefined {
    const log = this.#logs.get(stream)
    if (log?.isClosed) return 'closed'
    if (writer !== undefined && log?.writer !== undefined && log.writer !== writer) return 'writer'
    if (event.number !== (log?.last ?? 0) + 1) return 'number'
    this.append(stream, event)
    const grown = this.#logs.get(stream)
    if (grown && writer !== undefined) grown.writer = writer
    if (grown && closes) grown.isClosed = true
    return undefined
  }

  appendNext(stream: string, data: string): number | undefined {
    const number = (this.#logs.get(stream)?.last ?? 0) + 1
    return this.appendIf(stream, { number, data }) === undefined ? number : undefined
  }

  head(stream: string): StreamHead | undefined {
    const log = this.#logs.get(stream)
    if (!log) return undefined
    const { last, writer, isClosed } = log
    return { last, isClosed, ...(writer !== undefined && { writer }) }
  }

  after(stream: string, number: number): readonly StoredEvent[] | undefined {
    const log = this.#logs.get(stream)
    if (!log || number > log.last) return undefined
    const rest = log.events.filter((event) => event.number > number)
    return rest.length === log.last - number ? rest : undefined
  }

  drop(stream: string): void {
    const log = this.#logs.get(stream)
    if (log) this.#size -= log.size
    this.#logs.delete(stream)
  }

  /** The number of streams and characters. */
  get live(): { readonly streams: number; readonly size: number } {
    return { streams: this.#logs.size, size: this.#size }
  }

  #grow(log: Log, by: number): void {
    log.size += by
    this.#size += by
  }

  #shed(log: Log): void {
    const oldest = log.events.shift()
    if (oldest) this.#grow(log, -oldest.data.length)
  }

  #shedOldest(): void {
    for (const log of this.#logs.values()) {
      if (log.events.length > 0) return this.#shed(log)
    }
  }
}
