import { GrowingBuffer } from '@trunkline/base/growing-buffer'
import { McpError } from '../../../wire/errors.ts'
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
const [letterA, letterD, letterE, letterI, letterT] = [0x61, 0x64, 0x65, 0x69, 0x74]
/** Bytes from which on a part of a line is worth a string of its own. */
const largePart = 4_096
/** The line with the default event type, which most events have. */
const messageLine = 'event: message\n'
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
  /** True if there is a NUL in the text at hand: looked for once, not in every id. */
  #hasNul = false
  #endedInReturn = false
  /** The part of a line that arrived without its end: large parts of plain ASCII, then all that is neither. */
  #begun = ''
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
    // looked through as text, which is many times as fast; its last line may be cut in the middle of a character
    const text = this.#decoder.decode(chunk)
    if (this.#endedInReturn || text.includes('\r')) return this.#pushWithReturns(chunk)
    if (!text.includes('\n')) return this.#holdPart(chunk, text)
    const start = this.#hasBegun ? this.#finishLine(chunk) : 0
    // when there are as many characters as bytes, each stands where its byte does
    if (text.length !== chunk.length) return this.#pushLines(chunk.subarray(start))
    const end = this.#lines(text, start, 1)
    if (end < chunk.length) this.#holdPart(chunk.subarray(end), text.slice(end))
  }

  get #hasBegun(): boolean {
    return this.#begun !== '' || this.#unfinished.length > 0
  }

  /** Takes the end of the line that has begun; returns where the next one starts. */
  #finishLine(chunk: Uint8Array): number {
    const end = chunk.indexOf(lineFeed)
    this.#finishedLine(chunk.subarray(0, end))
    return end + 1
  }

  #pushLines(chunk: Uint8Array): void {
    const end = chunk.lastIndexOf(lineFeed) + 1
    if (end > 0) this.#lines(this.#decoder.decode(chunk.subarray(0, end)), 0, 2)
    this.#hold(chunk.subarray(end))
  }

  // carriage returns are rare, so they have a slow path
  #pushWithReturns(chunk: Uint8Array): void {
    let start = this.#endedInReturn && chunk[0] === lineFeed ? 1 : 0
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at]
      if (byte !== lineFeed && byte !== carriageReturn) continue
      this.#finishedLine(chunk.subarray(start, at))
      if (byte === carriageReturn && chunk[at + 1] === lineFeed) at++
      start = at + 1
    }
    this.#endedInReturn = chunk[chunk.length - 1] === carriageReturn
    this.#hold(chunk.subarray(start))
  }

  /** Keeps a part of a line: a large one as the text that it is already, which weighs no more, unless a character may be cut. */
  #holdPart(chunk: Uint8Array, text: string): void {
    const isAscii = text.length === chunk.length && !text.includes('\ufffd')
    if (chunk.length < largePart || !isAscii || this.#unfinished.length > 0) return this.#hold(chunk)
    this.#assertSize(this.#begun.length + chunk.length)
    this.#begun += text
  }

  // copied, because the chunk may be a view of a reused buffer
  #hold(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#assertSize(this.#begun.length + this.#unfinished.length + bytes.length)
    this.#unfinished.add(bytes)
  }

  #finishedLine(end: Uint8Array): void {
    if (this.#unfinished.length === 0) return this.#decodedLine(end)
    this.#unfinished.add(end)
    this.#decodedLine(this.#unfinished.peek())
    this.#unfinished.clear()
  }

  #decodedLine(bytes: Uint8Array): void {
    const rest = this.#decoder.decode(bytes)
    const text = this.#begun + rest
    this.#begun = ''
    const start = this.#isFirstLine && text.startsWith(byteOrderMark) ? 1 : 0
    this.#isFirstLine = false
    this.#hasNul = text.includes('\0')
    this.#line(text, start, text.length, rest.length === bytes.length ? 1 : 2)
  }

  /** Reads the lines that end in a text, and returns where the last of them does: decoding each by itself would cost more than to read it. */
  #lines(text: string, from: number, weight: number): number {
    let start = this.#isFirstLine && text.startsWith(byteOrderMark) ? 1 : from
    this.#isFirstLine = false
    this.#hasNul = text.includes('\0')
    while (start < text.length) {
      // to look for the end of a line costs as much as to read it, so it is done only where the end is not known
      if (text.charCodeAt(start) === lineFeed) {
        this.#dispatch()
        start += 1
      } else if (text.charCodeAt(start) === letterE && text.startsWith(messageLine, start)) {
        this.#count((messageLine.length - 1) * weight)
        this.#type = ''
        start += messageLine.length
      } else {
        const end = text.indexOf('\n', start)
        if (end < 0) return start
        this.#line(text, start, end, weight)
        start = end + 1
      }
    }
    return start
  }

  /** One line; a text that is not all ASCII weighs two bytes a character. */
  #line(text: string, start: number, end: number, weight: number): void {
    if (end === start) return this.#dispatch()
    const initial = text.charCodeAt(start)
    if (initial === colon) return
    this.#count((end - start) * weight)
    // the fast path of the most common lines
    if (initial === letterD && isDataAt(text, start)) this.#dataLine(valueAfter(text, start + 5, end))
    else if (initial === letterI && isIdAt(text, start)) this.#idLine(valueAfter(text, start + 3, end))
    else this.#field(text.slice(start, end))
  }

  #count(bytes: number): void {
    this.#eventBytes += bytes
    if (this.#eventBytes > this.#maxBytes) this.#assertSize(0)
  }

  #idLine(value: string): void {
    if (!this.#hasNul || !value.includes('\0')) this.#id = value
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
    const type = this.#type || 'message'
    const first = this.#data
    this.#lastEventId = this.#id
    this.#type = ''
    this.#data = undefined
    this.#eventBytes = 0
    if (first === undefined) return
    const more = this.#moreData
    this.#receive({ type, data: more.length === 0 ? first : first + this.#decoder.decode(more.take()) })
  }

  #assertSize(more: number): void {
    if (this.#eventBytes + more <= this.#maxBytes) return
    throw new McpError('TooLarge', `Cannot read an event: it is larger than ${this.#maxBytes} bytes`, {
      outcome: 'Unknown',
    })
  }
}

/** True if `data:` stands there; the first letter was compared already. */
function isDataAt(text: string, at: number): boolean {
  return (
    text.charCodeAt(at + 1) === letterA &&
    text.charCodeAt(at + 2) === letterT &&
    text.charCodeAt(at + 3) === letterA &&
    text.charCodeAt(at + 4) === colon
  )
}

/** True if `id:` stands there; the first letter was compared already. */
function isIdAt(text: string, at: number): boolean {
  return text.charCodeAt(at + 1) === letterD && text.charCodeAt(at + 2) === colon
}

/** The value of a field, without one leading space. */
function valueAfter(text: string, start: number, end: number): string {
  return text.slice(text.charCodeAt(start) === space ? start + 1 : start, end)
}
