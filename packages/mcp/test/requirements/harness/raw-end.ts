import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import type { Fields, Id, WireError } from '../../../src/wire/messages.ts'
import { soon } from '../../soon.ts'
import type { Revision } from '../requirement.ts'
import { envelope, isStateless } from './dress.ts'
import type { Wire } from './place.ts'

/** A message from the wire, as it came. */
export interface Heard extends Fields {
  readonly id?: Id | null
  readonly method?: string
  readonly params?: Fields
  readonly result?: Fields
  readonly error?: WireError
}

function read(text: string): Heard {
  try {
    return JSON.parse(text)
  } catch {
    return { unreadable: text }
  }
}

export interface RawOptions {
  /** Capabilities that the client declares. @default nothing */
  readonly capabilities?: Fields
}

export interface RawParts extends RawOptions {
  readonly wire: Wire
  readonly revision: Revision
  readonly close: () => Promise<void>
}

/** A client's end in the hands of a test: it says whatever the test wants, and keeps all that it hears. */
export class RawEnd {
  /** Everything heard so far, in order; a batch is one entry. */
  readonly heard: Heard[] = []
  /** Ends the talk, and with it a program that serves no other client. */
  readonly close: () => Promise<void>
  readonly #wire: Wire
  readonly #revision: Revision
  readonly #capabilities: Fields
  readonly #events = new EventEmitter()
  #asked = 0

  constructor({ wire, revision, close, capabilities = {} }: RawParts) {
    this.close = close
    this.#wire = wire
    this.#revision = revision
    this.#capabilities = capabilities
    wire.listen((text) => {
      this.heard.push(read(text))
      this.#events.emit('heard')
    })
  }

  /** Opens the conversation the way the revision does; where nothing needs opening, nothing is said. */
  async greet(): Promise<Heard> {
    if (isStateless(this.#revision)) return {}
    const greeting = await this.ask('initialize', this.hello())
    this.notify('notifications/initialized')
    return greeting
  }

  /** The params of `initialize`. */
  hello(protocolVersion: string = this.#revision): Fields {
    return { protocolVersion, capabilities: this.#capabilities, clientInfo: { name: 'raw', version: '1.0.0' } }
  }

  /** Says something that may be no message at all. */
  send(value: unknown): void {
    this.#wire.send(JSON.stringify(value))
  }

  /** Says something that may not even be JSON, where text is what travels. */
  sendText(text: string): void {
    this.#wire.send(text)
  }

  notify(method: string, params: Fields = {}): void {
    this.send({ jsonrpc: '2.0', method, params })
  }

  /** A request with all that the revision wants in it; an id of its own unless one is given. */
  request(method: string, params: Fields = {}, id: Id = this.#nextId()) {
    return { jsonrpc: '2.0', id, method, params: this.dress(params) } as const
  }

  /** Params with what every request of the revision carries. */
  dress(params: Fields): Fields {
    if (!isStateless(this.#revision)) return params
    return { ...params, _meta: { ...envelope(this.#revision, this.#capabilities), ...(params._meta as Fields) } }
  }

  /** Makes a request and waits for its answer. */
  ask(method: string, params?: Fields, id?: Id): Promise<Heard> {
    const request = this.request(method, params, id)
    this.send(request)
    return this.answer(request.id)
  }

  /** Makes a request that succeeds. */
  async result(method: string, params?: Fields): Promise<Fields> {
    const { result, error } = await this.ask(method, params)
    assert.ok(result, `"${method}" was refused: ${JSON.stringify(error)}`)
    return result
  }

  /** Makes a request that is refused. */
  async refusal(method: string, params?: Fields): Promise<WireError> {
    const { result, error } = await this.ask(method, params)
    assert.ok(error, `"${method}" was not refused: ${JSON.stringify(result)}`)
    return error
  }

  /** The answer to the request with this id. */
  answer(id: Id): Promise<Heard> {
    return this.until((message) => message.id === id && message.method === undefined)
  }

  /** The first message of a kind, heard already or yet to come. */
  async until(isWanted: (message: Heard) => boolean): Promise<Heard> {
    for (;;) {
      const found = this.heard.find(isWanted)
      if (found) return found
      await soon(once(this.#events, 'heard'), `a message; ${this.heard.length} were heard, and none is the wanted one`)
    }
  }

  /** Resolves when the server has dealt with all that was said before. */
  async settled(): Promise<void> {
    await this.#wire.toldAll?.()
    await this.ask(isStateless(this.#revision) ? 'server/discover' : 'ping')
  }

  /** Everything heard so far by this method. */
  told(method: string): readonly Heard[] {
    return this.heard.filter((message) => message.method === method)
  }

  #nextId(): Id {
    this.#asked += 1
    return `raw ${this.#asked}`
  }
}
