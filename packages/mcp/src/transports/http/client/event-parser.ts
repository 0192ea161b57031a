import { McpError } from '../../../wire/errors.ts'
import { maxMessageBytes } from '../../message-limit.ts'

/** One event of a stream, as a server sent it. */
export interface ServerEvent {
  readonly type: string
  readonly data: string
}

/** What a parser may be told. */
export interface EventParserOptions {
  /** Bytes of one event. @default 16_777_216 */
  readonly maxBytes?: number
  /** Where the stream was left before, for one that is taken up again. */
  readonly lastEventId?: string | undefined
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const colon = 0x3a

/** Reads events from bytes as they arrive. @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream */
export class EventParser {
  readonly #receive: (event: ServerEvent) => void
  readonly #maxBytes: number
  // a mark in the middle of a stream is text
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #isFirstLine = true
  #endedInReturn = false
  #unfinished: Uint8Array[] = []
  #unfinishedBytes = 0
  #eventBytes = 0
  #type = ''
  #data: string | undefined
  #id: string
  #lastEventId: string
  #retryMs: number | undefined

  constructor(receive: (event: ServerEvent) => void, options: EventParserOptions = {}) {
    this.#receive = receive
    this.#maxBytes = options.maxBytes ?? maxMessageBytes
    this.#id = options.lastEventId ?? ''
    this.#lastEventId = this.#id
  }

  /** The id of the last complete event that had one, even if it had nothing else. */
  get lastEventId(): string | undefined {
    return this.#lastEventId || undefined
  }

  /** How long the server wants a client to wait before it comes back, once it said so. */
  get retryMs(): number | undefined {
    return this.#retryMs
  }

  /** Takes what arrived; throws when an event is larger than it may be. */
  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    let start = this.#endedInReturn && chunk[0] === lineFeed ? 1 : 0
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at]
      if (byte !== lineFeed && byte !== carriageReturn) continue
      this.#line(this.#finished(chunk.subarray(start, at)))
      if (byte === carriageReturn && chunk[at + 1] === lineFeed) at++
      start = at + 1
    }
    this.#endedInReturn = chunk[chunk.length - 1] === carriageReturn
    this.#hold(chunk.subarray(start))
  }

  #hold(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#unfinishedBytes += bytes.length
    this.#assertSize()
    // the chunk may be a view of a buffer that is used again
    this.#unfinished.push(bytes.slice())
  }

  #finished(end: Uint8Array): Uint8Array {
    if (this.#unfinishedBytes === 0) return end
    const line = new Uint8Array(this.#unfinishedBytes + end.length)
    let at = 0
    for (const piece of [...this.#unfinished, end]) {
      line.set(piece, at)
      at += piece.length
    }
    this.#unfinished = []
    this.#unfinishedBytes = 0
    return line
  }

  #line(bytes: Uint8Array): void {
    const isFirst = this.#isFirstLine
    this.#isFirstLine = false
    if (bytes[0] === colon) return
    this.#eventBytes += bytes.length
    this.#assertSize()
    const text = this.#decoder.decode(bytes)
    const line = isFirst && text.startsWith('\uFEFF') ? text.slice(1) : text
    if (line === '') this.#dispatch()
    else this.#field(line)
  }

  #field(line: string): void {
    const end = line.indexOf(':')
    const name = end < 0 ? line : line.slice(0, end)
    const value = end < 0 ? '' : line.slice(line[end + 1] === ' ' ? end + 2 : end + 1)
    if (name === 'data') this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`
    else if (name === 'event') this.#type = value
    else if (name === 'id' && !value.includes('\0')) this.#id = value
    else if (name === 'retry' && /^[0-9]+$/.test(value)) this.#retryMs = Number(value)
  }

  // an event that is cut off leaves no trace, so that the next connection starts before it
  #dispatch(): void {
    const [type, data] = [this.#type || 'message', this.#data]
    this.#lastEventId = this.#id
    this.#type = ''
    this.#data = undefined
    this.#eventBytes = 0
    if (data !== undefined) this.#receive({ type, data })
  }

  #assertSize(): void {
    if (this.#eventBytes + this.#unfinishedBytes <= this.#maxBytes) return
    throw new McpError('TooLarge', `Cannot read an event: it is larger than ${this.#maxBytes} bytes`, {
      outcome: 'Unknown',
    })
  }
}
