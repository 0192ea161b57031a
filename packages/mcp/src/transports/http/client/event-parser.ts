import { McpError } from '../../../wire/errors.ts'
import { GrowingBuffer } from '../../growing-buffer.ts'
import { maxMessageBytes } from '../../message-limit.ts'

/** One event of a stream, as a server sent it. */
export interface ServerEvent {
  readonly type: string
  readonly data: string
}

/** Options of an event parser. */
export interface EventParserOptions {
  /** Bytes of one event. @default 16_777_216 */
  readonly maxBytes?: number
  /** The id of the last event, for a resumed stream. */
  readonly lastEventId?: string | undefined
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const colon = 0x3a
/** The line with the default event type. */
const ordinary = 'event: message'
const byteOrderMark = '\ufeff'
const encoder = new TextEncoder()

/**
 * Parses server-sent events from bytes as they arrive. @see
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export class EventParser {
  readonly #receive: (event: ServerEvent) => void
  readonly #maxBytes: number
  // a byte order mark in the middle of a stream is text
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

  /** The `retry` time of the server, if it sent one. */
  get retryMs(): number | undefined {
    return this.#retryMs
  }

  /** Parses a chunk; throws when an event is too large. */
  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    if (this.#endedInReturn || chunk.includes(carriageReturn)) return this.#pushWithReturns(chunk)
    const last = chunk.lastIndexOf(lineFeed)
    if (last >= 0) this.#finishedLines(chunk.subarray(0, last))
    this.#hold(chunk.subarray(last + 1))
  }

  // carriage returns are rare, so they have a slow path
  #pushWithReturns(chunk: Uint8Array): void {
    let start = this.#endedInReturn && chunk[0] === lineFeed ? 1 : 0
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at]
      if (byte !== lineFeed && byte !== carriageReturn) continue
      this.#finishedLines(chunk.subarray(start, at))
      if (byte === carriageReturn && chunk[at + 1] === lineFeed) at++
      start = at + 1
    }
    this.#endedInReturn = chunk[chunk.length - 1] === carriageReturn
    this.#hold(chunk.subarray(start))
  }

  // copied, because the chunk may be a view of a reused buffer
  #hold(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#assertSize(this.#unfinished.length + bytes.length)
    this.#unfinished.add(bytes)
  }

  #finishedLines(end: Uint8Array): void {
    if (this.#unfinished.length === 0) return this.#lines(end)
    this.#unfinished.add(end)
    this.#lines(this.#unfinished.peek())
    this.#unfinished.clear()
  }

  /** Parses complete lines, which are decoded together, because each decoder call is expensive. */
  #lines(bytes: Uint8Array): void {
    const text = this.#decoder.decode(bytes)
    // text that is not ASCII takes two bytes per character
    const weight = text.length === bytes.length ? 1 : 2
    let start = this.#isFirstLine && text.startsWith(byteOrderMark) ? 1 : 0
    this.#isFirstLine = false
    for (let end = text.indexOf('\n', start); end >= 0; end = text.indexOf('\n', start)) {
      this.#line(text, start, end, weight)
      start = end + 1
    }
    this.#line(text, start, text.length, weight)
  }

  #line(text: string, start: number, end: number, weight: number): void {
    if (end === start) return this.#dispatch()
    if (text.charCodeAt(start) === colon) return
    this.#eventBytes += (end - start) * weight
    if (this.#eventBytes > this.#maxBytes) this.#assertSize(0)
    // the fast path of the most common lines
    if (text.startsWith('data:', start)) this.#dataLine(valueAfter(text, start + 5, end))
    else if (end - start === ordinary.length && text.startsWith(ordinary, start)) this.#type = ''
    else if (text.startsWith('id:', start)) this.#idLine(valueAfter(text, start + 3, end))
    else this.#field(text.slice(start, end))
  }

  #idLine(value: string): void {
    if (!value.includes('\0')) this.#id = value
  }

  // most events have one data line; further ones are collected in a buffer
  #dataLine(value: string): void {
    if (this.#data === undefined) this.#data = value
    else this.#moreData.add(encoder.encode(`\n${value}`))
  }

  #field(line: string): void {
    const end = line.indexOf(':')
    const name = end < 0 ? line : line.slice(0, end)
    const value = end < 0 ? '' : line.slice(line[end + 1] === ' ' ? end + 2 : end + 1)
    if (name === 'event') this.#type = value
    else if (name === 'data') this.#dataLine(value)
    else if (name === 'id') this.#idLine(value)
    else if (name === 'retry' && /^[0-9]+$/.test(value)) this.#retryMs = Number(value)
  }

  // an incomplete event does not change the last event id, so that it is sent again
  #dispatch(): void {
    const more = this.#moreData.length > 0 ? this.#decoder.decode(this.#moreData.take()) : ''
    const type = this.#type || 'message'
    const first = this.#data
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

/** The value of a field, without one leading space. */
function valueAfter(text: string, start: number, end: number): string {
  return text.slice(text.charCodeAt(start) === space ? start + 1 : start, end)
}
