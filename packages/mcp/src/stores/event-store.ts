/** An event of a stream; numbers start at 1 and increase by one. */
export interface StoredEvent {
  readonly number: number
  readonly data: string
}

/**
 * Stores the events of streams, so that a client can resume a broken stream. A shared store should expire streams by
 * itself, because a process that dies deletes nothing.
 */
export interface EventStore {
  /** Stores an event; the next one may be appended before this one is stored. */
  append(stream: string, event: StoredEvent): void | Promise<void>
  /** The events of a stream after a number, in order; undefined when some are missing, or the stream is unknown. */
  after(
    stream: string,
    number: number,
  ): readonly StoredEvent[] | undefined | Promise<readonly StoredEvent[] | undefined>
  /** Deletes a stream. */
  drop(stream: string): void | Promise<void>
}
