import type { Receiver, Sender } from '../../rpc/channel.ts'
import { Malformed } from '../../wire/classify.ts'
import { McpError, ParseError, RpcError } from '../../wire/errors.ts'
import type { Id, Message } from '../../wire/messages.ts'
import { type Reading, type ReadLimits, readMessages } from '../../wire/read-messages.ts'
import { type LineReceiver, LineSplitter } from './line-splitter.ts'
import { peekMessage } from './peek-id.ts'
import type { StdioLimits } from './stdio-limits.ts'

/** Options of a message reader. */
export interface MessageReaderOptions {
  /** A server answers malformed lines with an error; a client treats them as stray output of the program. */
  readonly role: 'server' | 'client'
  /** Receives the beginning of each line that is not a message. */
  readonly onNoise?: (line: string) => void
  /** The sender of the lines, if it is known: a socket may have authenticated its peer, a pipe has not. */
  readonly sender?: Sender
  /** Limits of one line. */
  readonly limits: StdioLimits
}

const noiseLength = 1_024

/** Reads messages from a stream of bytes and delivers them to the receiver. */
export class MessageReader implements LineReceiver {
  readonly #receiver: Receiver
  readonly #lines: LineSplitter
  readonly #limits: ReadLimits
  readonly #role: 'server' | 'client'
  readonly #onNoise: ((line: string) => void) | undefined
  readonly #sender: Sender | undefined
  #isStopped = false
  /** Lines that were read before reading was paused; undefined while it is not. */
  #held: string[] | undefined

  constructor(receiver: Receiver, options: MessageReaderOptions) {
    this.#receiver = receiver
    this.#lines = new LineSplitter(this, options.limits.maxMessageBytes)
    this.#limits = options.limits
    this.#role = options.role
    this.#onNoise = options.onNoise
    this.#sender = options.sender
  }

  /** The beginning of a line that is not complete. */
  get unfinished(): string {
    return this.#lines.unfinished
  }

  push(chunk: Buffer): void {
    this.#lines.push(chunk)
  }

  /** The stream has ended; delivers an incomplete last line. */
  end(): void {
    this.#lines.end()
  }

  /** Drops everything that arrives from now on. */
  stop(): void {
    this.#isStopped = true
  }

  /** Holds lines back until `resume`. */
  pause(): void {
    this.#held ??= []
  }

  /** Delivers the lines that were held back, up to the next `pause`. */
  resume(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const text of held) this.line(text)
  }

  line(text: string): void {
    if (this.#isStopped) return
    if (this.#held) return void this.#held.push(text)
    const reading = readMessages(text, this.#limits)
    if (reading instanceof RpcError) this.#refused(reading, text)
    else if (isBatch(reading)) this.#batch(reading)
    else this.#receiver.message(reading, this.#sender)
  }

  undecodable(text: string): void {
    this.#refused(new RpcError(ParseError, 'Cannot read message: the line is not UTF-8', { reason: 'encoding' }), text)
  }

  tooLong(head: string, tail: string): void {
    const peeked = peekMessage(head, tail)
    if (this.#role === 'client' && peeked?.isResponse && peeked.id !== undefined) return this.#lost(peeked.id)
    const message = `Cannot read message: the line is longer than ${this.#lines.maxBytes} bytes`
    this.#refused(new Malformed(message, peeked), head)
  }

  #lost(id: Id): void {
    if (this.#isStopped) return
    const problem = `it is larger than the ${this.#lines.maxBytes} bytes of "limits.maxMessageBytes"`
    this.#receiver.failed(id, new McpError('TooLarge', `Cannot read an answer: ${problem}`, { outcome: 'Unknown' }))
  }

  #batch(entries: readonly (Message | RpcError)[]): void {
    const messages: Message[] = []
    for (const entry of entries) {
      if (entry instanceof RpcError) this.#malformed(entry)
      else messages.push(entry)
    }
    if (messages.length > 0) this.#receiver.message(messages, this.#sender)
  }

  #refused(error: RpcError, line: string): void {
    if (this.#isStopped) return
    if (this.#role === 'server') this.#malformed(error)
    else this.#refusedByClient(error, line)
  }

  // an unreadable answer fails its call; other lines are stray output
  #refusedByClient(error: RpcError, line: string): void {
    const malformed = error instanceof Malformed ? error : new Malformed(error.message, peekMessage(line, line))
    if (malformed.id === undefined && !malformed.isResponse) this.#onNoise?.(line.slice(0, noiseLength))
    else this.#malformed(malformed)
  }

  #malformed(error: RpcError): void {
    this.#receiver.malformed(error, error instanceof Malformed ? error.id : undefined)
  }
}

function isBatch(reading: Reading): reading is readonly (Message | RpcError)[] {
  return Array.isArray(reading)
}
