import type { AnswerInput, Dialect, DuringCall, Link } from '../dialects/dialect.ts'
import { controlMethods } from '../model/control-methods.ts'
import type { Channel, Sender } from '../rpc/channel.ts'
import type { Incoming } from '../rpc/incoming.ts'
import type { Call, Notify } from '../rpc/outgoing-calls.ts'
import { Peer, type PeerHandlers } from '../rpc/peer.ts'
import type { PeerLimits } from '../rpc/peer-limits.ts'
import { InternalError, InvalidParams, McpError, MethodNotFound, RpcError } from '../wire/errors.ts'
import type { Fields } from '../wire/messages.ts'
import { describeShapeProblem } from '../wire/shape.ts'

type Listener = (method: string, params: Fields, during: DuringCall) => void

export interface LinkEvents {
  readonly answer: AnswerInput
  warning(message: string): void
}

/** The client's end of one channel: sends calls, and passes on requests and notifications of the server. */
export class ClientLink implements Link {
  readonly #peer: Peer
  readonly #events: LinkEvents
  readonly #listeners = new Set<Listener>()
  #dialect: Dialect | undefined
  #answer: AnswerInput | undefined
  readonly #gone = new AbortController()
  /** True if the channel carries only revisions with a handshake. */
  readonly needsHandshake: boolean

  constructor(channel: Channel, events: LinkEvents, limits?: PeerLimits) {
    this.#events = events
    this.needsHandshake = channel.needsHandshake ?? false
    const handlers: PeerHandlers = {
      control: controlMethods,
      request: (incoming) => this.#asked(incoming),
      notification: (method, params, sender) => this.#told(method, params, sender),
      // a revision without server requests has no shapes for answers
      answers: () => this.#dialect?.vocabulary.server.requests.size !== 0,
      batches: () => this.#dialect?.batches === true,
      warning: (message) => events.warning(message),
    }
    this.#peer = new Peer(channel, handlers, limits)
    void this.#peer.whenClosed.then((reason = closed()) => {
      this.#gone.abort(reason)
      this.#listeners.clear()
    })
  }

  get call(): Call {
    return this.#peer.call
  }

  get notify(): Notify {
    return this.#peer.notify
  }

  get gone(): AbortSignal {
    return this.#gone.signal
  }

  get closed(): boolean {
    return this.gone.aborted
  }

  /** True while the link waits for the user on this side, so that the time does not count as silence of the server. */
  get isHeld(): boolean {
    return this.#peer.isHeld
  }

  get whenClosed(): Promise<Error | undefined> {
    return this.#peer.whenClosed
  }

  /** Counts of this link: zero when no call is in flight and there are no listeners. */
  get live(): { readonly pending: number; readonly serving: number; readonly listeners: number } {
    return { ...this.#peer.live, listeners: this.#listeners.size }
  }

  /** Sets the negotiated revision. */
  speak(dialect: Dialect): void {
    // a call that is still pending is the other opening, which was not answered
    this.#peer.rejectPending(
      new McpError('Unsupported', 'Cannot finish the call: the conversation was opened in another way'),
    )
    this.#dialect = dialect
    this.#answer = dialect.answering(this.#events.answer)
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): Promise<void> {
    return this.#peer.close()
  }

  #told(method: string, params: Fields, sender: Sender | undefined): void {
    const problem = this.#dialect?.vocabulary.server.notifications.get(method)?.check(params)
    if (problem) return this.#events.warning(`Ignored "${method}": ${describeShapeProblem(problem)}`)
    const during = { context: this.#peer.contextOf(sender) }
    for (const listener of this.#listeners) listener(method, params, during)
  }

  async #asked(incoming: Incoming): Promise<Fields> {
    const { method, params, sender } = incoming
    if (method === 'ping') return {}
    const exchange = this.#dialect?.vocabulary.server.requests.get(method)
    if (!exchange || !this.#answer) throw new RpcError(MethodNotFound, `Cannot answer "${method}": no such method`)
    const problem = exchange.params.check(params)
    if (problem) {
      const field = problem.path === '' ? 'params' : `params.${problem.path}`
      throw new RpcError(InvalidParams, `Cannot answer "${method}": ${field} ${problem.message}`, { field })
    }
    const release = this.#peer.hold()
    try {
      return await this.#answer(method, params, {
        context: this.#peer.contextOf(sender),
        get signal() {
          return incoming.signal
        },
      })
    } catch (error) {
      if (error instanceof RpcError) throw error
      this.#events.warning(`Could not answer "${method}": ${error instanceof Error ? error.message : error}`)
      throw new RpcError(InternalError, `Cannot answer "${method}"`)
    } finally {
      release()
    }
  }
}

function closed(): McpError {
  return new McpError('Closed', 'Cannot finish the call: the connection was closed', { outcome: 'Unknown' })
}
