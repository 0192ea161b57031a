import type { Sender } from '../../../rpc/channel.ts'
import type { Headers } from '../headers.ts'
import type { BodyLimits } from './body-limits.ts'

/** A request as every face of the endpoint presents it, whatever HTTP library is under it. */
export interface HttpRequest {
  readonly method: string
  readonly path: string
  /** The value of a parameter in the query of the address. */
  query(name: string): string | undefined
  /** The value of a header, by its lower-case name. */
  header(name: string): string | undefined
  /** The body as a framework parsed it before us, if one did. */
  readonly parsed?: unknown
  /**
   * Calls back with the body as text, or with why it is refused: too large, or not UTF-8. By callback, because this is the
   * hottest place of all.
   */
  text(bodies: BodyLimits, done: (text: string | Error) => void): void
  /** Takes in the body from now on, where otherwise each of its chunks would be kept apart until somebody reads it. */
  bufferBody?(bodies: BodyLimits): void
  /** What handlers and interceptors may know of where the request came from. */
  readonly sender: Sender
}

/** What somebody before us has found out about a request. */
export interface RequestContext {
  /** Who was authenticated. */
  readonly principal?: string
  /** The body, where it was read and parsed already. */
  readonly parsed?: unknown
}

/** The answer to a request: exactly one of these is called, once. */
export interface HttpReply {
  /** Answers with a whole body, or with none. */
  whole(status: number, headers: Headers, body?: string): void
  /** Answers with a stream of events that stays open. */
  stream(headers: Headers): EventSink
  /** Calls back when the other side goes away before the answer is complete. */
  onGone(listener: () => void): void
  /** Calls back once, when all of the answer was taken or never will be; to be said before the end of the answer is given. */
  onLeft(listener: () => void): void
}

/** The open end of a stream of events. */
export interface EventSink {
  /** Writes text; resolves when more can be taken, at once when that is now. */
  write(text: string): Promise<void> | undefined
  /** There while too much waits to be read, until that is over: then only what must arrive should be written. */
  readonly full: Promise<void> | undefined
  end(): void
}
