/** An event of a stream; numbers start at 1 and grow by one. */
export interface StoredEvent {
  readonly number: number
  readonly data: string
}

/**
 * Keeps what was sent on streams, so that a client that lost one can come back and get the rest. One that others share should
 * let streams expire by itself: a process that dies drops nothing.
 */
export interface EventStore {
  /** Keeps an event; the next ones of the stream may come before this one is kept. */
  append(stream: string, event: StoredEvent): void | Promise<void>
  /** Every event of a stream after a number, in order; nothing when some of them are no longer there, or the stream is not known. */
  after(
    stream: string,
    number: number,
  ): readonly StoredEvent[] | undefined | Promise<readonly StoredEvent[] | undefined>
  /** Forgets a stream. */
  drop(stream: string): void | Promise<void>
}
