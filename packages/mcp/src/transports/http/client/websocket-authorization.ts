import { statusFailure } from './http-failures.ts'
import { channelSettings, type HeaderRecord, type HttpChannelOptions, type Settings } from './options.ts'
import { listenHeaders } from './request-headers.ts'
import { discard } from './response-body.ts'
import { mergeHeaders, sendRequest } from './send-request.ts'

/** What a socket shows of who opens it, and how that is found out. */
export type WebSocketAuthorizationOptions = Pick<HttpChannelOptions, 'headers' | 'authorizer' | 'fetch'>

const action = 'connect'

/** The way in for a socket that has to show who opens it. */
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

  /** What the next socket shows. */
  async headers(signal: AbortSignal): Promise<HeaderRecord> {
    const { headers, authorization } = this.#settings
    const given = typeof headers === 'function' ? await headers() : headers
    const proof = (await authorization?.show({ method: 'GET', url: this.#url, signal })) ?? {}
    return mergeHeaders([given, proof], action)
  }

  /** Asks by a request why a socket was refused, which no socket tells, and gets what it takes to be let in. */
  async ask(signal: AbortSignal): Promise<void> {
    const wanted = { method: 'GET', url: this.#url, headers: listenHeaders(), signal, action } as const
    const response = await sendRequest(wanted, this.#settings)
    await discard(response)
    if (response.status === 401 || response.status === 403) throw statusFailure({ action, url: this.#url }, response)
  }
}
