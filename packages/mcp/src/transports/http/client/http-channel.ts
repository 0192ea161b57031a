import { controlMethods } from '../../../model/control-methods.ts'
import { methods } from '../../../model/features.ts'
import type { Channel, Receiver, SendOptions } from '../../../rpc/channel.ts'
import { PassingMap } from '../../../rpc/passing-map.ts'
import { McpError, RpcError } from '../../../wire/errors.ts'
import type {
  Id,
  Message,
  NotificationMessage,
  RequestMessage,
  ResponseMessage,
  WireError,
} from '../../../wire/messages.ts'
import { writeMessage } from '../../../wire/write-message.ts'
import { ClientSession } from './client-session.ts'
import { addressOf, channelSettings, type HttpChannelOptions, type Settings } from './http-channel-options.ts'
import { closedFailure, sessionOver } from './http-failures.ts'
import type { ResponseHeaders } from './http-response.ts'
import { InFlight } from './in-flight.ts'
import { type Outgoing, postAnswer, postNotification, SessionLost } from './post-message.ts'
import { PostedRequest } from './posted-request.ts'
import { type MessageSink, receiveMessages } from './receive-messages.ts'
import { headersAbout, isSelfContained } from './request-headers.ts'

/** A channel over Streamable HTTP. */
export function httpChannel(url: string | URL, options: HttpChannelOptions = {}): HttpChannel {
  return new HttpChannel(addressOf(url, ['http:', 'https:']), channelSettings(options))
}

interface Call {
  readonly controller: AbortController
  readonly isSelfContained: boolean
}

/** Sends each message as a POST; receives messages on the responses and on a listen stream. */
export class HttpChannel implements Channel {
  readonly #url: URL
  readonly #settings: Settings
  readonly #session: ClientSession
  readonly #running = new InFlight()
  readonly #calls = new PassingMap<Id, Call>()
  readonly #sink: MessageSink
  /** For messages that belong to no request. */
  readonly #unasked: MessageSink
  #receiver: Receiver | undefined
  #isClosed = false
  #closing: Promise<void> | undefined
  #reason: Error | undefined

  constructor(url: URL, settings: Settings) {
    this.#url = url
    this.#settings = settings
    // messages after closing are dropped
    this.#sink = {
      message: (message, sender) => this.#isClosed || this.#receiver?.message(message, sender),
      malformed: (error, id) => this.#isClosed || this.#receiver?.malformed(error, id),
    }
    this.#unasked = {
      message: (message) => 'method' in message && this.#sink.message(message),
      malformed: ignore,
    }
    this.#session = new ClientSession({
      url,
      settings,
      running: this.#running,
      receive: (data) => void receiveMessages(data, this.#sink),
      initialize: (again, signal) => this.#greetAgain(again, signal),
      initialized: (signal) => postNotification(this.#outgoing(initialized, signal)),
      choose: (again, signal) => this.#post(again, this.#outgoing(again, signal), this.#unasked),
      over: (reason) => void this.#close(reason),
    })
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver
    if (this.#isClosed) receiver.closed(this.#reason)
  }

  send(message: Message | readonly Message[], beside: SendOptions = {}): Promise<void> | undefined {
    const refusal = this.#refusal()
    if (refusal) return Promise.reject(refusal)
    if (isRequest(message)) return void this.#call(message, beside)
    // without a handshake the server cannot have sent a request
    if ('method' in message || this.#session.isOpen) return this.#running.run((signal) => this.#tell(message, signal))
    return undefined
  }

  /** Cancels a request: by ending its connection, or by a notification in a session. */
  abandon(id: Id, reason?: string): void {
    const call = this.#calls.get(id)
    if (!call || call.isSelfContained) return call?.controller.abort()
    const params = { requestId: id, ...(reason !== undefined && { reason }) }
    const cancelled: Message = { jsonrpc: '2.0', method: controlMethods.cancelled, params }
    void this.#running
      .run((signal) => this.#tell(cancelled, signal), { limitMs: this.#settings.closeMs })
      .catch(ignore)
      .finally(() => call.controller.abort())
  }

  get isHeld(): boolean {
    return this.#settings.authorization?.isBusy ?? false
  }

  close(): Promise<void> {
    return this.#close(undefined)
  }

  pause(): () => void {
    return this.#settings.reading.pause()
  }

  #close(reason: Error | undefined): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true
      this.#reason = reason
      this.#running.stop(new McpError('Closed', 'The connection was closed', { outcome: 'Unknown' }))
      this.#closing = this.#session.end()
      this.#receiver?.closed(reason)
      this.#settings.reading.resume()
    }
    return this.#closing ?? Promise.resolve()
  }

  #refusal(): McpError | undefined {
    const { maxRequestsInFlight } = this.#settings.limits
    if (this.#isClosed) return closedFailure()
    if (this.#running.count < maxRequestsInFlight) return undefined
    const problem = `Cannot send: ${maxRequestsInFlight} messages are in flight already`
    return new McpError('Busy', problem, { outcome: 'NotSent' })
  }

  async #call(request: RequestMessage, beside: SendOptions): Promise<void> {
    const controller = new AbortController()
    this.#calls.set(request.id, { controller, isSelfContained: isSelfContained(request) })
    try {
      await this.#running.run((signal) => this.#ask(request, signal, beside), { controller })
    } catch (error) {
      if (controller.signal.aborted) return
      this.#receiver?.failed(
        request.id,
        error instanceof SessionLost ? sessionOver(sending(request)) : (error as Error),
      )
    } finally {
      this.#calls.delete(request.id)
    }
  }

  async #ask(request: RequestMessage, signal: AbortSignal, beside: SendOptions): Promise<void> {
    await this.#session.renewing?.catch(ignore)
    try {
      await this.#post(request, this.#outgoing(request, signal, beside))
    } catch (error) {
      if (!(error instanceof SessionLost)) throw error
      const renewed = this.#session.renew(error.id)
      renewed.catch(ignore)
      if (!methods.get(request.method)?.repeatable) throw error
      await renewed.catch((cause: unknown) => {
        throw sessionOver(sending(request), cause)
      })
      await this.#post(request, this.#outgoing(request, signal, beside))
    }
  }

  #post(request: RequestMessage, outgoing: Outgoing, sink = this.#sink): Promise<void> {
    const answered = (answer: ResponseMessage, headers: ResponseHeaders): void => {
      if (request.method !== 'initialize') this.#session.answers(request, answer)
      else if ('result' in answer) this.#session.opened(request, answer.result, headers)
    }
    return new PostedRequest(request, { ...outgoing, sink, answered }).run()
  }

  async #greetAgain(initialize: RequestMessage, signal: AbortSignal): Promise<void> {
    let refusal: WireError | undefined
    const message: MessageSink['message'] = (told) => {
      if ('error' in told) refusal = told.error
    }
    await this.#post(initialize, this.#outgoing(initialize, signal), { message, malformed: ignore })
    if (refusal) throw new RpcError(refusal.code, refusal.message, refusal.data)
  }

  async #tell(message: Message | readonly Message[], signal: AbortSignal): Promise<void> {
    await this.#session.renewing?.catch(ignore)
    try {
      const outgoing = this.#outgoing(message, signal)
      await ('method' in message ? postNotification(outgoing) : postAnswer(outgoing))
    } catch (error) {
      if (!(error instanceof SessionLost)) throw error
      this.#session.renew(error.id).catch(ignore)
      throw sessionOver(sending(message))
    }
    if ('method' in message && message.method === initialized.method) this.#session.listen()
  }

  #outgoing(message: Message | readonly Message[], signal: AbortSignal, beside: SendOptions = {}): Outgoing {
    const [url, settings, body, action] = [this.#url, this.#settings, writeMessage(message), sending(message)]
    const common = { url, settings, signal, body, action }
    if (isSelfContained(message)) return { ...common, session: undefined, about: headersAbout(message, beside) }
    const offers = offerIn(message)
    return { ...common, session: offers === undefined ? this.#session.headers : {}, about: {}, offers }
  }
}

const initialized: NotificationMessage = { jsonrpc: '2.0', method: 'notifications/initialized' }

/** The revision that `initialize` offers. */
function offerIn(message: Message | readonly Message[]): string | undefined {
  const isOpening = 'method' in message && message.method === 'initialize'
  return isOpening ? String(message.params?.protocolVersion) : undefined
}

function sending(message: Message | readonly Message[]): string {
  return 'method' in message ? `send "${message.method}"` : 'send an answer'
}

function isRequest(message: Message | readonly Message[]): message is RequestMessage {
  return 'method' in message && 'id' in message
}

const ignore = (): void => {}
