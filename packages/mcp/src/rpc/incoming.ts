import type { Fields, Id, Request } from '../wire/messages.ts'
import type { Sender, SendOptions } from './channel.ts'
import type { CallOptions } from './pending-call.ts'

/** How a request talks back over the peer it came from. */
export interface BackChannel {
  call(method: string, params: Fields, options: CallOptions): Promise<Fields>
  /** Without a request that it relates to, it goes wherever the connection has room for it. */
  notify(method: string, params: Fields, options?: SendOptions): Promise<void> | undefined
  /** Lets go of who sent the request, where that one comes back for the answer. */
  release?(id: Id): void
}

const noParams: Fields = {}

/** One request from the other side, and the way to talk back about it until it is answered. */
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
  constructor(request: Request, sender: Sender | undefined, line: BackChannel) {
    this.id = request.id
    this.method = request.method
    this.params = request.params ?? noParams
    this.sender = sender
    this.#line = line
  }

  /** Aborts when the other side cancels or goes away. Made on first use: most handlers never look. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#reason !== undefined) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  /** Whether the request was answered or cancelled, after which nothing more is sent about it. */
  get ended(): boolean {
    return this.#ended
  }

  /** Whether an error says no more than that the request was called off. */
  isCalledOffBy(error: unknown): boolean {
    if (this.#reason === undefined) return false
    return (
      error === this.#reason ||
      (error instanceof Error && (error.name === 'AbortError' || error.cause === this.#reason))
    )
  }

  /** Asks the other side something that belongs to this request. */
  call(method: string, params: Fields, options: CallOptions = {}): Promise<Fields> {
    return this.#line.call(method, params, { signal: this.signal, ...options, relatedTo: this.id })
  }

  /** Tells the other side something that belongs to this request; says nothing once it has ended. */
  notify(method: string, params: Fields, options?: SendOptions): Promise<void> | undefined {
    if (!this.#ended) return this.#line.notify(method, params, { ...options, relatedTo: this.id })
  }

  /** Tells the other side something that belongs to no request, or no longer to this one, as long as there is a connection. */
  announce(method: string, params: Fields): Promise<void> | undefined {
    return this.#line.notify(method, params)
  }

  /** Lets go of the other side until it comes back for the answer, where it does. */
  release(): void {
    if (!this.#ended) this.#line.release?.(this.id)
  }

  /** The handler is let go while it still works: once the request is answered, its signal aborts. @internal */
  leave(reason: unknown): void {
    this.#leaveReason = reason
  }

  /** For the peer: the answer is on its way. @internal */
  end(): void {
    this.#ended = true
    if (this.#leaveReason !== undefined) this.abort(this.#leaveReason)
  }

  /** For the peer: nobody waits for the answer any more. @internal */
  abort(reason: unknown): void {
    this.#ended = true
    this.#reason = reason ?? new DOMException('The request was cancelled', 'AbortError')
    this.#controller?.abort(this.#reason)
  }
}
