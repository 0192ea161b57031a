import type { Sender } from '../../../rpc/channel.ts'
import type { Headers } from '../headers.ts'
import type { BodyLimits } from './body-limits.ts'

/** An HTTP request, independent of the HTTP library. */
export interface HttpRequest {
  readonly method: string
  readonly path: string
  /** The value of a query parameter. */
  query(name: string): string | undefined
  /** The value of a header, by its lower-case name. */
  header(name: string): string | undefined
  /** The body, if a framework has parsed it. */
  readonly parsed?: unknown
  /**
   * Calls back with the body as text, or with why it is refused: too large, or not UTF-8. By callback, because this is the
   * hottest place of all.
   */
  text(bodies: BodyLimits, done: (text: string | Error) => void): void
  /** Starts to buffer the body, within limits. */
  bufferBody?(bodies: BodyLimits): void
  /** The sender of the request. */
  readonly sender: Sender
}

/** Facts that a framework knows of a request. */
export interface RequestContext {
  /** The authenticated principal. */
  readonly principal?: string
  /** The body, where it was read and parsed already. */
  readonly parsed?: unknown
}

/** The reply to a request: either `whole` or `stream` is called, once. */
export interface HttpReply {
  /** Sends a complete response. */
  whole(status: number, headers: Headers, body?: string): void
  /** Starts an event stream. */
  stream(headers: Headers): EventSink
  /** Calls back when the client disconnects before the reply is complete. */
  onGone(listener: () => void): void
  /**
   * Calls back once, when the whole reply was sent or its connection is closed; must be called before the reply ends.
   */
  onLeft(listener: () => void): void
}

/** The writing end of an event stream. */
export interface EventSink {
  /** Writes text; resolves when more can be written, undefined when that is now. */
  write(text: string): Promise<void> | undefined
  /** A promise while too much is unread, which resolves when that is over; droppable messages must not be written. */
  readonly full: Promise<void> | undefined
  end(): void
}
