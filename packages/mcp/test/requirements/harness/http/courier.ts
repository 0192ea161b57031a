import { EventParser, type ServerEvent } from '../../../../src/transports/http/client/event-parser.ts'
import type { Headers } from './letter.ts'

export interface Sending {
  readonly method?: 'POST' | 'GET'
  readonly headers: Headers
  readonly body?: string
  readonly signal?: AbortSignal
}

/** Carries texts to a server one after the other, and back whatever is said there. */
export class Courier {
  readonly #leaving = new AbortController()
  #hear: (text: string) => void = () => {}
  #last: Promise<void> = Promise.resolve()

  listen(listener: (text: string) => void): void {
    this.#hear = listener
  }

  /** Does something when all that was to be done before is done. */
  next(task: () => Promise<void>): void {
    this.#last = this.#last.then(task).catch((error: unknown) => this.#unlessLeft(error))
  }

  send(url: string | URL, { method = 'POST', signal = this.#leaving.signal, ...rest }: Sending): Promise<Response> {
    return fetch(url, { method, ...rest, signal: AbortSignal.any([this.#leaving.signal, signal]) })
  }

  /** Hands over what a response says, until it is over or given up. */
  async read(response: Response | Promise<Response>, signal?: AbortSignal): Promise<void> {
    try {
      const found = await response
      const isStream = found.headers.get('content-type') === 'text/event-stream'
      if (isStream) await eventsOf(found, ({ data }) => this.hear(data))
      else this.hear(await found.text())
    } catch (error) {
      if (!signal?.aborted) this.#unlessLeft(error)
    }
  }

  /** Hands over what a response says, event by event. */
  async readEvents(response: Response, receive: (event: ServerEvent) => void): Promise<void> {
    await eventsOf(response, receive).catch((error: unknown) => this.#unlessLeft(error))
  }

  /** Hands over one text. */
  hear(text: string): void {
    if (text !== '') this.#hear(text)
  }

  /** Says what is left to say, then lets go of every response. */
  async leave(): Promise<void> {
    await this.#last
    this.#leaving.abort()
  }

  #unlessLeft(error: unknown): void {
    if (!this.#leaving.signal.aborted) throw error
  }
}

async function eventsOf({ body }: Response, receive: (event: ServerEvent) => void): Promise<void> {
  const parser = new EventParser(receive)
  for await (const chunk of body ?? []) parser.push(chunk as Uint8Array)
}
