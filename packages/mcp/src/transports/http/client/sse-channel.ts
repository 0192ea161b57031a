import type { Channel, Receiver } from '../../../rpc/channel.ts'
import { McpError, toWire } from '../../../wire/errors.ts'
import type { Message } from '../../../wire/messages.ts'
import { writeMessage } from '../../../wire/write-message.ts'
import { EventParser, type ServerEvent } from './event-parser.ts'
import { addressOf, channelSettings, type HttpChannelOptions, type Settings } from './http-channel-options.ts'
import { closedFailure, describeAttempt, refusalIn, statusFailure } from './http-failures.ts'
import { InFlight } from './in-flight.ts'
import { receiveMessages } from './receive-messages.ts'
import { listenHeaders, postHeaders } from './request-headers.ts'
import { chunksOf, discard, typeOf } from './response-body.ts'
import { sendRequest } from './send-request.ts'

/** Options of a channel over HTTP+SSE. */
export type SseChannelOptions = Pick<HttpChannelOptions, 'headers' | 'authorizer' | 'fetch' | 'limits'>

/** A channel over HTTP+SSE, the transport of 2024. */
export function sseChannel(url: string | URL, options: SseChannelOptions = {}): SseChannel {
  return new SseChannel(addressOf(url, ['http:', 'https:']), channelSettings(options))
}

/** Posts outgoing messages and receives others as events; closes when the stream ends. */
export class SseChannel implements Channel {
  readonly needsHandshake = true
  readonly #url: URL
  readonly #settings: Settings
  readonly #running = new InFlight()
  readonly #endpoint: Promise<URL>
  #found!: (endpoint: URL) => void
  #failed!: (reason: unknown) => void
  #isReady = false
  #receiver: Receiver | undefined
  #isClosed = false

  constructor(url: URL, settings: Settings) {
    this.#url = url
    this.#settings = settings
    this.#endpoint = new Promise((resolve, reject) => {
      this.#found = resolve
      this.#failed = reject
    })
    // unhandled here: closing the channel reports it
    this.#endpoint.catch(() => {})
  }

  /** True once the server has sent the endpoint. */
  get isReady(): boolean {
    return this.#isReady
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver
    if (this.#isClosed) return receiver.closed()
    this.#running
      .run((signal) => this.#listen(signal))
      .then(
        () => this.#close(new McpError('Closed', 'The server ended the connection', { outcome: 'Unknown' })),
        (error: unknown) => this.#close(error as Error),
      )
  }

  send(message: Message | readonly Message[]): Promise<void> | undefined {
    const { maxRequestsInFlight } = this.#settings.limits
    if (this.#isClosed) return Promise.reject(closedFailure())
    if (this.#running.count >= maxRequestsInFlight) {
      const problem = `Cannot send: ${maxRequestsInFlight} messages are in flight already`
      return Promise.reject(new McpError('Busy', problem, { outcome: 'NotSent' }))
    }
    const posted = this.#running.run((signal) => this.#post(message, signal))
    if (!('method' in message && 'id' in message)) return posted
    posted.catch((error: unknown) => this.#receiver?.failed(message.id, error as Error))
    return undefined
  }

  get isHeld(): boolean {
    return this.#settings.authorization?.isBusy ?? false
  }

  async close(): Promise<void> {
    this.#close(undefined)
  }

  pause(): () => void {
    return this.#settings.reading.pause()
  }

  #close(reason: Error | undefined): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#failed(reason ?? closedFailure())
    this.#running.stop(new McpError('Closed', 'The connection was closed', { outcome: 'Unknown' }))
    this.#receiver?.closed(reason)
    this.#settings.reading.resume()
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const [url, headers, action] = [this.#url, listenHeaders(), 'listen']
    const response = await sendRequest({ method: 'GET', url, headers, signal, action }, this.#settings)
    if (!response.ok || typeOf(response) !== 'text/event-stream') {
      await discard(response)
      if (!response.ok) throw statusFailure({ action, url }, response)
      throw new McpError(
        'InvalidResponse',
        `${describeAttempt({ action, url })}: the server answered with something else than events`,
      )
    }
    const { limits, reading } = this.#settings
    const held: ServerEvent[] = []
    const take = (event: ServerEvent): void => this.#take(event)
    const parser = new EventParser((event) => (reading.isPaused ? held.push(event) : take(event)), {
      maxBytes: limits.maxMessageBytes,
    })
    try {
      for await (const chunk of chunksOf(response.body)) {
        parser.push(chunk)
        if (reading.isPaused) await reading.deliver(held, take)
      }
    } catch (error) {
      // a broken connection is an ordinary end
      if (error instanceof McpError) throw error
    }
  }

  #take({ type, data }: ServerEvent): void {
    if (this.#isClosed) return
    if (type === 'endpoint' && !this.#isReady) this.#located(data)
    else if (type === 'message' && this.#isReady && this.#receiver) receiveMessages(data, this.#receiver)
  }

  #located(address: string): void {
    const endpoint = URL.canParse(address, this.#url) ? new URL(address, this.#url) : undefined
    // messages and credentials must not go to another origin
    if (endpoint?.origin !== this.#url.origin) {
      throw new McpError('InvalidResponse', 'Cannot connect: the server names an endpoint on another origin', {
        outcome: 'NotSent',
      })
    }
    this.#isReady = true
    this.#found(endpoint)
  }

  async #post(message: Message | readonly Message[], signal: AbortSignal): Promise<void> {
    const body = writeMessage(message)
    const url = await this.#endpoint
    const action = 'method' in message ? `send "${message.method}"` : 'send an answer'
    const response = await sendRequest(
      { method: 'POST', url, headers: postHeaders, body, signal, action },
      this.#settings,
    )
    if (response.ok) return discard(response)
    const refusal = await refusalIn(response)
    if (!refusal || !('method' in message && 'id' in message)) throw statusFailure({ action, url }, response, refusal)
    this.#receiver?.message({ jsonrpc: '2.0', id: message.id, error: toWire(refusal) })
  }
}
