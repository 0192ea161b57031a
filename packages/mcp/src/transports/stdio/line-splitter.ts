import { isUtf8 } from 'node:buffer'
import { GrowingBuffer } from '@trunkline/base/growing-buffer'
import { stdioLimits } from './stdio-limits.ts'

/** Receives the lines of a stream. */
export interface LineReceiver {
  /** One line without its line break; never an empty one. */
  line(text: string): void
  /** A line that is not UTF-8, as far as it can be shown. */
  undecodable(text: string): void
  /** A line beyond the limit; only its head and tail were kept. */
  tooLong(head: string, tail: string): void
}

const newline = 0x0a
const excerptBytes = 256

/** Splits a stream of bytes into lines, in linear time for any chunks. */
export class LineSplitter {
  readonly #receiver: LineReceiver
  readonly maxBytes: number
  readonly #begun: GrowingBuffer
  #excess: { readonly head: string; tail: Buffer } | undefined

  /** Accepts lines of `maxBytes` without line breaks; a longer one is skipped and reported. */
  constructor(receiver: LineReceiver, maxBytes: number = stdioLimits.maxMessageBytes) {
    this.#receiver = receiver
    this.maxBytes = maxBytes
    this.#begun = new GrowingBuffer(maxBytes)
  }

  push(chunk: Buffer): void {
    let start = 0
    const last = chunk.lastIndexOf(newline)
    if (last >= 0 && this.#hasBegun) {
      const first = chunk.indexOf(newline)
      this.#hold(chunk.subarray(0, first))
      this.end()
      start = first + 1
    }
    if (start < last) this.#whole(chunk.subarray(start, last))
    if (last + 1 < chunk.length) this.#hold(chunk.subarray(last + 1))
  }

  /** Delivers an incomplete last line. */
  end(): void {
    const excess = this.#excess
    this.#excess = undefined
    if (excess) this.#receiver.tooLong(excess.head, excess.tail.toString())
    else if (this.#begun.length > 0) this.#one(asBuffer(this.#begun.take()))
  }

  /** The beginning of an incomplete line, such as a prompt to a user. */
  get unfinished(): string {
    return this.#excess?.head ?? headOf(asBuffer(this.#begun.peek()))
  }

  get #hasBegun(): boolean {
    return this.#begun.length > 0 || this.#excess !== undefined
  }

  #whole(bytes: Buffer): void {
    // line breaks are single bytes in UTF-8, so all lines can be checked together
    if (bytes.length <= this.maxBytes && isUtf8(bytes)) {
      for (const text of bytes.toString().split('\n')) this.#deliver(text)
      return
    }
    for (let start = 0; start <= bytes.length; ) {
      const found = bytes.indexOf(newline, start)
      const end = found < 0 ? bytes.length : found
      this.#one(bytes.subarray(start, end))
      start = end + 1
    }
  }

  #one(bytes: Buffer): void {
    if (bytes.length > this.maxBytes) this.#receiver.tooLong(headOf(bytes), tailOf(bytes).toString())
    else if (isUtf8(bytes)) this.#deliver(bytes.toString())
    else this.#receiver.undecodable(bytes.toString())
  }

  #deliver(text: string): void {
    const line = text.endsWith('\r') ? text.slice(0, -1) : text
    if (line !== '') this.#receiver.line(line)
  }

  #hold(bytes: Buffer): void {
    if (this.#excess) {
      this.#excess.tail = tailOf(Buffer.concat([this.#excess.tail, bytes]))
    } else if (this.#begun.length + bytes.length > this.maxBytes) {
      const all = Buffer.concat([asBuffer(this.#begun.take()), bytes])
      this.#excess = { head: headOf(all), tail: tailOf(all) }
    } else {
      this.#begun.add(bytes)
    }
  }
}

const asBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length)

const headOf = (bytes: Buffer): string => bytes.toString('utf8', 0, excerptBytes)

// a copy, so that the line can be freed
const tailOf = (bytes: Buffer): Buffer => Buffer.from(bytes.subarray(-excerptBytes))
