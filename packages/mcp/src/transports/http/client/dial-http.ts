import { controlMethods } from '../../../model/control-methods.ts'
import type { Channel, Receiver, SendOptions } from '../../../rpc/channel.ts'
import { McpError } from '../../../wire/errors.ts'
import type { Id, Message, RequestMessage } from '../../../wire/messages.ts'
import { type HttpChannel, httpChannel } from './http-channel.ts'
import type { HttpChannelOptions } from './http-channel-options.ts'
import { type SseChannel, sseChannel } from './sse-channel.ts'
import { type WebSocketChannelOptions, websocketChannel } from './websocket-channel.ts'

/** Options of {@link dialHttp}. */
export type DialHttpOptions = HttpChannelOptions & Pick<WebSocketChannelOptions, 'WebSocket'>

/** Dials a URL: Streamable HTTP, HTTP+SSE or WebSocket. */
export function dialHttp(url: string | URL, options: DialHttpOptions = {}): () => Channel {
  const { protocol } = new URL(url)
  if (protocol === 'ws:' || protocol === 'wss:') return () => websocketChannel(url, options)
  return () => new AutoChannel(url, options)
}

/** Streamable HTTP, with a fallback to HTTP+SSE when `initialize` is refused. */
class AutoChannel implements Channel {
  readonly #single: HttpChannel
  readonly #stream: SseChannel
  #current: Channel
  #receiver: Receiver | undefined
  #initialize: RequestMessage | undefined

  constructor(url: string | URL, options: HttpChannelOptions) {
    this.#single = httpChannel(url, options)
    this.#stream = sseChannel(url, options)
    this.#current = this.#single
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver
    const failed = (id: Id, reason: Error): void => {
      if (this.#initialize?.id === id && isNoEndpoint(reason)) this.#turnToStream(this.#initialize, reason)
      else receiver.failed(id, reason)
    }
    const closed = (reason?: Error): void => {
      if (this.#current === this.#single) receiver.closed(reason)
    }
    this.#single.open({ ...relay(receiver), failed, closed })
  }

  send(message: Message | readonly Message[], options?: SendOptions): Promise<void> | undefined {
    if ('method' in message && 'id' in message && message.method === 'initialize') this.#initialize = message
    return this.#current.send(message, options)
  }

  abandon(id: Id, reason?: string): void {
    if (this.#current.abandon) return this.#current.abandon(id, reason)
    const params = { requestId: id, ...(reason !== undefined && { reason }) }
    this.#current.send({ jsonrpc: '2.0', method: controlMethods.cancelled, params })?.catch(() => {})
  }

  get isHeld(): boolean {
    return this.#current.isHeld ?? false
  }

  pause(): () => void {
    const resumes = [this.#single.pause(), this.#stream.pause()]
    return () => {
      for (const resume of resumes) resume()
    }
  }

  async close(): Promise<void> {
    await this.#stream.close()
    await this.#single.close()
  }

  #turnToStream(initialize: RequestMessage, reason: Error): void {
    const receiver = this.#receiver as Receiver
    this.#current = this.#stream
    const closed = (why?: Error): void => {
      if (this.#stream.isReady) return receiver.closed(why)
      // HTTP+SSE failed too, so the first refusal is the better error
      this.#current = this.#single
      receiver.failed(initialize.id, reason)
    }
    this.#stream.open({ ...relay(receiver), closed })
    void this.#stream.send(initialize)
  }
}

// a refusal that contains a protocol error arrives as an answer
function isNoEndpoint(reason: Error): boolean {
  return reason instanceof McpError && reason.code === 'Http' && [400, 404, 405].includes(reason.status ?? 0)
}

function relay(receiver: Receiver): Receiver {
  return {
    message: (message, sender) => receiver.message(message, sender),
    malformed: (error, id) => receiver.malformed(error, id),
    failed: (id, reason) => receiver.failed(id, reason),
    ended: () => receiver.ended(),
    closed: (reason) => receiver.closed(reason),
  }
}
