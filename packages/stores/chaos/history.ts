/** Entries that clients, handlers and the recorder of effects write down while faults happen. */

/**
 * Kinds of answers: refused means that nothing was done, unknown that it may have been done, none that the client gave
 * up.
 */
export type AnswerKind = 'result' | 'error' | 'refused' | 'unknown' | 'none'

/** Something that happened; `at` is in milliseconds of one clock. */
export type Entry = { readonly at: number } & (
  | { readonly what: 'call'; readonly call: string; readonly client: string }
  | {
      readonly what: 'answer'
      readonly call: string
      readonly kind: AnswerKind
      readonly value?: string
      readonly reason?: string
    }
  /** A client was told that its call runs, and by which event it can be resumed. */
  | { readonly what: 'accepted'; readonly call: string }
  /** A process accepted the cancelling of a call. */
  | { readonly what: 'cancel'; readonly call: string; readonly by?: string }
  /** A process serves from now on. */
  | { readonly what: 'began'; readonly process: string }
  /** A process ended. */
  | { readonly what: 'ended'; readonly process: string }
  /** A handler worked to the end of its time, and was not told of a cancel. */
  | { readonly what: 'overslept'; readonly call: string }
  /** A side effect that happened for a call. */
  | { readonly what: 'effect'; readonly call: string }
  /** A numbered message of a stream, as a client got it. */
  | {
      readonly what: 'message'
      readonly stream: string
      readonly number: number
      /** True if numbers between belong to entries that are not sent. */
      readonly isSparse?: boolean
    }
  /** A client was told that messages of a stream are missing. */
  | { readonly what: 'gap'; readonly stream: string }
  /** A client was told that its call runs as a task. */
  | { readonly what: 'task'; readonly call: string }
  /** The owner of a task took it, or wrote. */
  | { readonly what: 'write'; readonly task: string; readonly fence: number; readonly owner: string }
  /** A call passed a limit. */
  | { readonly what: 'pass'; readonly limit: string }
  /** The engine confirmed a value. */
  | { readonly what: 'stored'; readonly key: string; readonly value: number }
  /** A value was read; undefined if there was none. */
  | { readonly what: 'read'; readonly key: string; readonly value?: number }
  /** A fault that was made; the engine may lose what it confirmed, and may be away until the next entry of a fault, if that is said. */
  | {
      readonly what: 'fault'
      readonly fault: string
      readonly loses?: boolean
      readonly isAway?: boolean
      /** True if a process may be cut off from the engine, or stopped, until the next entry of a fault. */
      readonly cutsOff?: boolean
      /** True at the end of a fault. */
      readonly isOver?: boolean
    }
)

/** An entry without its time. */
export type Happened = Entry extends infer Each ? (Each extends Entry ? Omit<Each, 'at'> : never) : never

/** An entry of one kind. */
export type EntryOf<What extends Entry['what']> = Extract<Entry, { readonly what: What }>

/** Entries of one kind, in order. */
export function entriesOf<What extends Entry['what']>(history: readonly Entry[], what: What): readonly EntryOf<What>[] {
  return history.filter((entry): entry is EntryOf<What> => entry.what === what)
}
