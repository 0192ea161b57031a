/** An event of a stream; numbers start at 1 and increase by one. */
export interface StoredEvent {
  readonly number: number
  readonly data: string
}

/** Reason for which an event is not appended: the log is closed, it has another writer, or its last number is another. */
export type AppendRefusal = 'closed' | 'writer' | 'number'

/** Conditions of an append. */
export interface AppendOptions {
  /** The one process that writes to the log for its life; the first append with a writer sets it. @default any */
  readonly writer?: string
  /** True for the last event, after which the log is closed. @default false */
  readonly closes?: boolean
}

/** State of a log without its events. */
export interface StreamHead {
  /** Number of the last event. */
  readonly last: number
  readonly writer?: string
  readonly isClosed: boolean
}

/**
 * Stores the events of streams, so that a client can resume a broken stream. A shared store should expire streams by
 * itself, because a process that dies deletes nothing. The optional members are for processes that share a stream; a store that has
 * one of them has all, and keeps the head of a stream that has a writer when it drops events.
 */
export interface EventStore {
  /** Stores an event; the next one may be appended before this one is stored. */
  append(stream: string, event: StoredEvent): void | Promise<void>
  /** The events of a stream after a number, in order; undefined when some are missing, or the stream is unknown. */
  after(
    stream: string,
    number: number,
  ): readonly StoredEvent[] | undefined | Promise<readonly StoredEvent[] | undefined>
  /** Stores an event in one step, unless that is refused; its number must be the last one plus one. */
  appendIf?(
    stream: string,
    event: StoredEvent,
    options?: AppendOptions,
  ): AppendRefusal | undefined | Promise<AppendRefusal | undefined>
  /** Stores an event under the next number, which is returned; undefined if the stream is closed. */
  appendNext?(stream: string, data: string): number | undefined | Promise<number | undefined>
  /** State of a stream; undefined if it is unknown. */
  head?(stream: string): StreamHead | undefined | Promise<StreamHead | undefined>
  /** Deletes a stream. */
  drop(stream: string): void | Promise<void>
}
