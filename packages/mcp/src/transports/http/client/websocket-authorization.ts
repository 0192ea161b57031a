import { channelSettings, type HeaderRecord, type HttpChannelOptions, type Settings } from './http-channel-options.ts'
import { statusFailure } from './http-failures.ts'
import { listenHeaders } from './request-headers.ts'
import { discard } from './response-body.ts'
import { mergeHeaders, sendRequest } from './send-request.ts'

/** Options of authorizing a WebSocket. */
export type WebSocketAuthorizationOptions = Pick<HttpChannelOptions, 'headers' | 'authorizer' | 'fetch'>

const action = 'connect'

/** Authorizes the connection of a WebSocket. */
export class WebSocketAuthorization {
  readonly #url: URL
  readonly #settings: Settings

  constructor(socket: URL, options: WebSocketAuthorizationOptions) {
    this.#url = new URL(socket)
    this.#url.protocol = socket.protocol === 'wss:' ? 'https:' : 'http:'
    this.#settings = channelSettings(options)
  }

  get isBusy(): boolean {
    return this.#settings.authorization?.isBusy ?? false
  }

  /** The headers of the next connection. */
  async headers(signal: AbortSignal): Promise<HeaderRecord> {
    const { headers, authorization } = this.#settings
    const given = typeof headers === 'function' ? await headers() : headers
    const proof = (await authorization?.show({ method: 'GET', url: this.#url, signal })) ?? {}
    return mergeHeaders([given, proof], action)
  }

  /** Sends an HTTP request to learn why a socket was refused, and gets authorization. */
  async ask(signal: AbortSignal): Promise<void> {
    const wanted = { method: 'GET', url: this.#url, headers: listenHeaders(), signal, action } as const
    const response = await sendRequest(wanted, this.#settings)
    await discard(response)
    if (response.status === 401 || response.status === 403) throw statusFailure({ action, url: this.#url }, response)
  }
}
