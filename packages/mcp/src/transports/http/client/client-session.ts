import { SessionReplay } from '../../../dialects/handshake/session-replay.ts'
import { headerNames } from '../../../dialects/http-status.ts'
import { McpError } from '../../../wire/errors.ts'
import type { Fields, RequestMessage, ResponseMessage } from '../../../wire/messages.ts'
import { sessionHeader } from '../headers.ts'
import type { HeaderRecord, Settings } from './http-channel-options.ts'
import type { ResponseHeaders } from './http-response.ts'
import { InFlight } from './in-flight.ts'
import { discard } from './response-body.ts'
import { sendRequest } from './send-request.ts'
import { type Interrupted, listenOnSession } from './session-listen.ts'

/** The parts of its channel that a session needs. */
export interface ClientSessionParts {
  readonly url: URL
  readonly settings: Settings
  readonly running: InFlight
  /** Receives the text of a message of the listen stream. */
  receive(data: string): void
  /** Sends `initialize` again; rejects when the server refuses. */
  initialize(request: RequestMessage, signal: AbortSignal): Promise<void>
  initialized(signal: AbortSignal): Promise<void>
  /** Repeats a request of a lost session, such as a subscription. */
  choose(request: RequestMessage, signal: AbortSignal): Promise<void>
  /** The session has ended for good. */
  over(reason: Error): void
}

interface Agreed {
  readonly initialize: RequestMessage
  readonly version: string
  /** The session id; undefined when the server has no sessions. */
  readonly id: string | undefined
  /** The log level and subscriptions, which outlive the session. */
  readonly lasting: SessionReplay
}

/** Requests that are repeated at the same time. */
const lanes = 8

/** The session of a client; opened again when the server has lost it. */
export class ClientSession {
  readonly #parts: ClientSessionParts
  #agreed: Agreed | undefined
  #renewing: Promise<void> | undefined
  #renewals = 0
  #listening = new AbortController()
  #interrupted: Interrupted | undefined

  constructor(parts: ClientSessionParts) {
    this.#parts = parts
  }

  /** True once there was a handshake. */
  get isOpen(): boolean {
    return this.#agreed !== undefined
  }

  /** The session headers of every request after the handshake. */
  get headers(): HeaderRecord {
    if (!this.#agreed) return {}
    const { version, id } = this.#agreed
    return { [headerNames.version]: version, ...(id !== undefined && { [sessionHeader]: id }) }
  }

  /** Set while the session is being opened again. */
  get renewing(): Promise<void> | undefined {
    return this.#renewing
  }

  /** Handles the answer to `initialize`. */
  opened(initialize: RequestMessage, result: Fields, headers: ResponseHeaders): void {
    const id = headers.get(sessionHeader) || undefined
    const { lasting = new SessionReplay() } = this.#agreed ?? {}
    this.#agreed = { initialize, version: String(result.protocolVersion), id, lasting }
  }

  /** Opens the listen stream, once the handshake is complete. */
  listen(after?: Interrupted): void {
    this.#listening.abort()
    this.#listening = new AbortController()
    this.#interrupted = undefined
    const { url, settings, receive, running } = this.#parts
    const session = this.headers
    const task = (signal: AbortSignal) => listenOnSession({ url, settings, signal, session, receive, ...after })
    running.run(task, { controller: this.#listening }).then((end) => {
      const id = session[sessionHeader]
      if (end === 'lost' && id !== undefined) this.renew(id).catch(ignore)
      if (typeof end === 'object') this.#interrupted = end
    }, ignore)
  }

  /** Handles an answer: records what it changed, and retries a listen stream that was not available. */
  answers(request: RequestMessage, answer: ResponseMessage): void {
    if ('result' in answer) this.#agreed?.lasting.record(request)
    if (this.#interrupted) this.listen(this.#interrupted)
  }

  /** Opens a new session in place of a lost one. */
  renew(lost: string): Promise<void> {
    if (this.#agreed?.id !== lost) return this.#renewing ?? Promise.resolve()
    this.#renewing ??= this.#reopened(this.#agreed).finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  /** Tells the server that the session has ended, if there is one and there is time. */
  async end(): Promise<void> {
    const { url, settings } = this.#parts
    const { headers } = this
    if (headers[sessionHeader] === undefined) return
    const task = async (signal: AbortSignal): Promise<void> =>
      discard(await sendRequest({ method: 'DELETE', url, headers, signal, action: 'end the session' }, settings))
    // a server that does not answer will expire the session
    await new InFlight().run(task, { limitMs: settings.closeMs }).catch(ignore)
  }

  async #reopened(before: Agreed): Promise<void> {
    const { settings, running, over } = this.#parts
    if (settings.onSessionLost === 'close') {
      const reason = new McpError('Closed', 'The session has ended', { outcome: 'Unknown' })
      over(reason)
      throw reason
    }
    const initialize = { ...before.initialize, id: `renewal-${++this.#renewals}` }
    const task = async (signal: AbortSignal): Promise<void> => {
      await this.#parts.initialize(initialize, signal)
      if (this.#agreed?.version !== before.version) return over(changed(before, this.#agreed))
      await this.#parts.initialized(signal)
      this.listen()
    }
    try {
      await running.run(task, { limitMs: settings.renewMs })
    } catch (error) {
      // an incomplete handshake is undone, so that the next request finds the session lost again
      this.#agreed = before
      throw error
    }
    const choosing = (signal: AbortSignal): Promise<void> => this.#choose(before.lasting.choices, signal)
    await running.run(choosing, { limitMs: settings.renewMs }).catch(ignore)
  }

  /** Repeats the requests of the lost session; refused ones are tried again with the next session. */
  async #choose(choices: readonly RequestMessage[], signal: AbortSignal): Promise<void> {
    const left = choices.values()
    const lane = async (): Promise<void> => {
      for (const choice of left) {
        await this.#parts.choose({ ...choice, id: `renewal-${++this.#renewals}` }, signal).catch(ignore)
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
  }
}

function changed(before: Agreed, now: Agreed | undefined): McpError {
  const message = `The session has ended, and the server now speaks ${now?.version} instead of ${before.version}`
  return new McpError('Closed', message, { outcome: 'Unknown' })
}

const ignore = (): void => {}
