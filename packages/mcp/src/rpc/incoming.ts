import type { Fields, Id, RequestMessage } from '../wire/messages.ts'
import type { Sender, SendOptions } from './channel.ts'
import type { CallOptions } from './pending-call.ts'

/** The way by which a request sends messages back over its peer. */
export interface BackChannel {
  call(method: string, params: Fields, options: CallOptions): Promise<Fields>
  /** Without a related request it is sent on any stream of the connection. */
  notify(method: string, params: Fields, options?: SendOptions): Promise<void> | undefined
  /** Ends the HTTP response of the request, where the client can resume it. */
  release?(id: Id): void
}

const noParams: Fields = {}

/** One incoming request, and the means to send messages about it until it is answered. */
export class Incoming {
  readonly id: Id
  readonly method: string
  readonly params: Fields
  readonly sender: Sender | undefined
  readonly #line: BackChannel
  #controller: AbortController | undefined
  #ended = false
  #reason: unknown
  #leaveReason: unknown

  /** @internal */
  constructor(request: RequestMessage, sender: Sender | undefined, line: BackChannel) {
    this.id = request.id
    this.method = request.method
    this.params = request.params ?? noParams
    this.sender = sender
    this.#line = line
  }

  /** Aborts when the other side cancels or disconnects. Made on first use: most handlers never use it. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#reason !== undefined) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  /** True once the request was answered or cancelled; after that nothing is sent for it. */
  get ended(): boolean {
    return this.#ended
  }

  /** True if an error only reports the cancellation of this request. */
  isCalledOffBy(error: unknown): boolean {
    if (this.#reason === undefined) return false
    return (
      error === this.#reason ||
      (error instanceof Error && (error.name === 'AbortError' || error.cause === this.#reason))
    )
  }

  /** Sends a request that belongs to this one. */
  call(method: string, params: Fields, options: CallOptions = {}): Promise<Fields> {
    return this.#line.call(method, params, { signal: this.signal, ...options, relatedTo: this.id })
  }

  /** Sends a notification that belongs to this request; does nothing once it has ended. */
  notify(method: string, params: Fields, options?: SendOptions): Promise<void> | undefined {
    if (!this.#ended) return this.#line.notify(method, params, { ...options, relatedTo: this.id })
  }

  /** Sends a notification that belongs to no request, as long as the connection is open. */
  announce(method: string, params: Fields): Promise<void> | undefined {
    return this.#line.notify(method, params)
  }

  /** Ends the HTTP response; the client resumes it to get the answer. */
  release(): void {
    if (!this.#ended) this.#line.release?.(this.id)
  }

  /** The request ends while its handler still runs: once it is answered, its signal aborts. @internal */
  leave(reason: unknown): void {
    this.#leaveReason = reason
  }

  /** For the peer: the answer was sent. @internal */
  end(): void {
    this.#ended = true
    if (this.#leaveReason !== undefined) this.abort(this.#leaveReason)
  }

  /** For the peer: the request was cancelled. @internal */
  abort(reason: unknown): void {
    this.#ended = true
    this.#reason = reason ?? new DOMException('The request was cancelled', 'AbortError')
    this.#controller?.abort(this.#reason)
  }
}
