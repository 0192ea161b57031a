import { SessionReplay } from '../../../dialects/handshake/session-replay.ts'
import { headerNames } from '../../../dialects/http-status.ts'
import { McpError } from '../../../wire/errors.ts'
import type { Response as Answer, Fields, Request } from '../../../wire/messages.ts'
import { sessionHeader } from '../headers.ts'
import type { ResponseHeaders } from './http-response.ts'
import { InFlight } from './in-flight.ts'
import type { HeaderRecord, Settings } from './options.ts'
import { discard } from './response-body.ts'
import { sendRequest } from './send-request.ts'
import { type Interrupted, listenOnSession } from './session-listen.ts'

/** What a session needs of its channel. */
export interface ClientSessionParts {
  readonly url: URL
  readonly settings: Settings
  readonly running: InFlight
  /** Takes the text of a message that the server sends of its own accord. */
  receive(data: string): void
  /** Opens the conversation again; rejects when the server does not agree. */
  initialize(request: Request, signal: AbortSignal): Promise<void>
  initialized(signal: AbortSignal): Promise<void>
  /** Says again what was chosen in a session that is lost. */
  choose(request: Request, signal: AbortSignal): Promise<void>
  /** The conversation cannot go on. */
  over(reason: Error): void
}

interface Agreed {
  readonly initialize: Request
  readonly version: string
  /** Nothing with a server that keeps no sessions. */
  readonly id: string | undefined
  /** What was chosen since; it outlives the session. */
  readonly lasting: SessionReplay
}

/** Choices that are said again at the same time. */
const lanes = 8

/** What a handshake agreed on, for as long as the channel lives: opened again when the server forgets it. */
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

  /** Whether there was a handshake, so that either side may ask the other. */
  get isOpen(): boolean {
    return this.#agreed !== undefined
  }

  /** What goes with every request after the handshake. */
  get headers(): HeaderRecord {
    if (!this.#agreed) return {}
    const { version, id } = this.#agreed
    return { [headerNames.version]: version, ...(id !== undefined && { [sessionHeader]: id }) }
  }

  /** There while the session is being opened again. */
  get renewing(): Promise<void> | undefined {
    return this.#renewing
  }

  /** Takes note of the answer to `initialize`. */
  opened(initialize: Request, result: Fields, headers: ResponseHeaders): void {
    const id = headers.get(sessionHeader) || undefined
    const { lasting = new SessionReplay() } = this.#agreed ?? {}
    this.#agreed = { initialize, version: String(result.protocolVersion), id, lasting }
  }

  /** Starts listening, once the server knows that the handshake is complete. */
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

  /** The server answers: what it agreed to lasts, and a stream that could not be had before may be there again. */
  answers(request: Request, answer: Answer): void {
    if ('result' in answer) this.#agreed?.lasting.record(request)
    if (this.#interrupted) this.listen(this.#interrupted)
  }

  /** Opens another session in the place of one that is lost; resolves when there is one. */
  renew(lost: string): Promise<void> {
    if (this.#agreed?.id !== lost) return this.#renewing ?? Promise.resolve()
    this.#renewing ??= this.#reopened(this.#agreed).finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  /** Tells the server that the session is over, if there is one and there is time. */
  async end(): Promise<void> {
    const { url, settings } = this.#parts
    const { headers } = this
    if (headers[sessionHeader] === undefined) return
    const task = async (signal: AbortSignal): Promise<void> =>
      discard(await sendRequest({ method: 'DELETE', url, headers, signal, action: 'end the session' }, settings))
    // a server that does not listen will find out by itself
    await new InFlight().run(task, { limitMs: settings.closeMs }).catch(ignore)
  }

  async #reopened(before: Agreed): Promise<void> {
    const { settings, running, over } = this.#parts
    if (settings.onSessionLost === 'close') {
      const reason = new McpError('Closed', 'The session is over', { outcome: 'Unknown' })
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
      // half a handshake is none, so whoever comes next finds the session lost again
      this.#agreed = before
      throw error
    }
    const choosing = (signal: AbortSignal): Promise<void> => this.#choose(before.lasting.choices, signal)
    await running.run(choosing, { limitMs: settings.renewMs }).catch(ignore)
  }

  /** What the server refuses by now is still what was chosen, and is tried again with the next session. */
  async #choose(choices: readonly Request[], signal: AbortSignal): Promise<void> {
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
  const message = `The session is over, and where ${before.version} was spoken the server now wants ${now?.version}`
  return new McpError('Closed', message, { outcome: 'Unknown' })
}

const ignore = (): void => {}
