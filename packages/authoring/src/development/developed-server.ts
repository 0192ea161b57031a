import type { Client } from '@trunkline/mcp/client'
import { compareDefinitions, type DefinitionChanges, type Definitions, readDefinitions } from './definitions.ts'

/** A connection to the server as it is now. */
export interface OpenedServer extends AsyncDisposable {
  readonly client: Client
}

/** Listeners for the starts and failures of a server under development. */
export interface DevelopmentEvents {
  started(server: { readonly client: Client; readonly ms: number; readonly changes: DefinitionChanges }): void
  failed(error: unknown): void
  ended(reason: unknown): void
}

/** A server that is restarted when its files change; requests in between wait for the next start. */
export class DevelopedServer implements AsyncDisposable {
  readonly #open: (signal: AbortSignal) => Promise<OpenedServer>
  readonly #events: DevelopmentEvents
  readonly #listeners = new Set<() => void>()
  #definitions: Definitions = new Map()
  #opened: OpenedServer | undefined
  #starting = new AbortController()
  #last: Promise<void> = Promise.resolve()
  #isClosed = false
  #waiting: { promise: Promise<Client>; resolve(client: Client): void } = waiter()

  constructor(open: (signal: AbortSignal) => Promise<OpenedServer>, events: DevelopmentEvents) {
    this.#open = open
    this.#events = events
  }

  /** The server as it is now, or as it will be once it runs. */
  current(): Promise<Client> {
    return this.#waiting.promise
  }

  /** Calls back after every start, until the returned function is called. */
  onStart(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Ends the server and starts it again; what is starting is given up. */
  restart(): Promise<void> {
    this.#starting.abort(new Error('The server is started anew'))
    const starting = new AbortController()
    this.#starting = starting
    this.#last = this.#last.then(() => this.#start(starting.signal))
    return this.#last
  }

  async #start(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#isClosed) return
    if (this.#opened) this.#waiting = waiter()
    await this.#end()
    const begun = performance.now()
    try {
      const opened = await this.#open(signal)
      this.#opened = opened
      const { client } = opened
      const definitions = await readDefinitions(client, signal)
      const changes = compareDefinitions(this.#definitions, definitions)
      this.#definitions = definitions
      void client.whenClosed.then((reason) => this.#lost(opened, reason))
      this.#events.started({ client, ms: Math.round(performance.now() - begun), changes })
      this.#waiting.resolve(client)
      for (const listener of this.#listeners) listener()
    } catch (error) {
      await this.#end()
      if (!signal.aborted) this.#events.failed(error)
    }
  }

  #lost(opened: OpenedServer, reason: unknown): void {
    if (this.#opened !== opened) return
    this.#opened = undefined
    this.#waiting = waiter()
    this.#events.ended(reason)
  }

  async #end(): Promise<void> {
    const opened = this.#opened
    this.#opened = undefined
    await opened?.[Symbol.asyncDispose]()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    this.#starting.abort(new Error('The work has ended'))
    await this.#last
    await this.#end()
  }
}

function waiter(): { promise: Promise<Client>; resolve(client: Client): void } {
  let resolve: (client: Client) => void = () => {}
  const promise = new Promise<Client>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
