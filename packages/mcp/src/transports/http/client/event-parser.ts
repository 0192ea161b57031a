import { McpError } from '../../../wire/errors.ts'
import { GrowingBuffer } from '../../growing-buffer.ts'
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
const space = 0x20
const lineBreak = Uint8Array.of(lineFeed)
const byteOrderMark = [0xef, 0xbb, 0xbf]
const dataField = [0x64, 0x61, 0x74, 0x61]

/** Reads events from bytes as they arrive. @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream */
export class EventParser {
  readonly #receive: (event: ServerEvent) => void
  readonly #maxBytes: number
  // a mark in the middle of a stream is text
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #isFirstLine = true
  #endedInReturn = false
  readonly #unfinished: GrowingBuffer
  #eventBytes = 0
  #type = ''
  #data: string | undefined
  /** The lines of data behind the first, each after a line feed. */
  readonly #moreData: GrowingBuffer
  #id: string
  #lastEventId: string
  #retryMs: number | undefined

  constructor(receive: (event: ServerEvent) => void, options: EventParserOptions = {}) {
    this.#receive = receive
    this.#maxBytes = options.maxBytes ?? maxMessageBytes
    this.#unfinished = new GrowingBuffer(this.#maxBytes)
    this.#moreData = new GrowingBuffer(this.#maxBytes)
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

  // copied, because the chunk may be a view of a buffer that is used again
  #hold(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#assertSize(this.#unfinished.length + bytes.length)
    this.#unfinished.add(bytes)
  }

  #finished(end: Uint8Array): Uint8Array {
    if (this.#unfinished.length === 0) return end
    this.#hold(end)
    return this.#unfinished.take()
  }

  #line(bytes: Uint8Array): void {
    const line = this.#isFirstLine && startsWith(bytes, byteOrderMark) ? bytes.subarray(byteOrderMark.length) : bytes
    this.#isFirstLine = false
    if (line[0] === colon) return
    this.#assertSize(line.length)
    this.#eventBytes += line.length
    if (line.length === 0) this.#dispatch()
    else if (isData(line)) this.#dataLine(line)
    else this.#field(this.#decoder.decode(line))
  }

  // most events have one such line; of many, each string would weigh more than what is in it
  #dataLine(line: Uint8Array): void {
    const start = dataField.length + 1
    const value = line.subarray(line[start] === space ? start + 1 : start)
    if (this.#data === undefined) this.#data = this.#decoder.decode(value)
    else {
      this.#moreData.add(lineBreak)
      this.#moreData.add(value)
    }
  }

  #field(line: string): void {
    const end = line.indexOf(':')
    const name = end < 0 ? line : line.slice(0, end)
    const value = end < 0 ? '' : line.slice(line[end + 1] === ' ' ? end + 2 : end + 1)
    if (name === 'event') this.#type = value
    else if (name === 'id' && !value.includes('\0')) this.#id = value
    else if (name === 'retry' && /^[0-9]+$/.test(value)) this.#retryMs = Number(value)
  }

  // an event that is cut off leaves no trace, so that the next connection starts before it
  #dispatch(): void {
    const more = this.#moreData.length > 0 ? this.#decoder.decode(this.#moreData.take()) : ''
    const [type, first] = [this.#type || 'message', this.#data]
    this.#lastEventId = this.#id
    this.#type = ''
    this.#data = undefined
    this.#eventBytes = 0
    if (first !== undefined) this.#receive({ type, data: first + more })
  }

  #assertSize(more: number): void {
    if (this.#eventBytes + more <= this.#maxBytes) return
    throw new McpError('TooLarge', `Cannot read an event: it is larger than ${this.#maxBytes} bytes`, {
      outcome: 'Unknown',
    })
  }
}

function isData(line: Uint8Array): boolean {
  return startsWith(line, dataField) && (line.length === dataField.length || line[dataField.length] === colon)
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte)
}
