import type { Readable, Writable } from 'node:stream'
import type { Channel, Receiver, SendOptions } from '../../rpc/channel.ts'
import { McpError } from '../../wire/errors.ts'
import type { Message } from '../../wire/messages.ts'
import { resolveLimits } from '../../wire/resolve-limits.ts'
import { writeMessage } from '../../wire/write-message.ts'
import { dropped } from '../backpressure.ts'
import { checkedDelay, settlesWithin } from '../timers.ts'
import { MessageReader, type MessageReaderOptions } from './message-reader.ts'
import { MessageWriter } from './message-writer.ts'
import { type StdioLimits, stdioLimits } from './stdio-limits.ts'

/** Options of a channel over stdio. */
export interface StdioOptions extends Omit<MessageReaderOptions, 'limits'> {
  /** Limits of messages. */
  readonly limits?: Partial<StdioLimits>
  /** Milliseconds for sending the last answers after the end of input. @default 10_000 */
  readonly drainMs?: number
}

const defaults = { drainMs: 10_000 } as const satisfies Partial<StdioOptions>

/** The two streams of a channel, and how they are closed. */
export interface Streams {
  readonly input: Readable
  readonly output: Writable
  /** The input has ended; resolves when the channel may close, with the reason. @default when all is answered */
  ended?(): Promise<Error | undefined>
  /** Releases the streams, once everything was sent. @default ends the output and destroys the input */
  release?(flushed: Promise<unknown>): Promise<void>
}

/** A channel over two byte streams, one JSON message per line. */
export class StdioChannel implements Channel {
  /** Resolves when the channel is closed and its streams are released. */
  readonly finished: Promise<void>
  readonly #streams: Streams
  readonly #options: MessageReaderOptions
  /** Milliseconds for sending the last answers after the end of input. */
  readonly drainMs: number
  readonly #writer: MessageWriter
  #reader: MessageReader | undefined
  #receiver: Receiver | undefined
  #ending: Promise<void> | undefined
  #closing: Promise<void> | undefined
  #reason: Error | undefined
  #isShut = false
  #isPaused = false
  /** True while no requests are read because answers wait to be sent. */
  #isBackedUp = false
  #finish!: () => void

  /** @internal */
  constructor(streams: Streams, options: StdioOptions) {
    this.#streams = streams
    const limits = resolveLimits(stdioLimits, options.limits)
    this.#options = { ...options, limits }
    this.drainMs = checkedDelay('drainMs', options.drainMs ?? defaults.drainMs)
    this.#writer = new MessageWriter(streams.output, limits.maxQueuedChars)
    this.finished = new Promise((resolve) => {
      this.#finish = resolve
    })
  }

  /** The beginning of an incomplete line. */
  get unfinished(): string {
    return this.#reader?.unfinished ?? ''
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver
    if (this.#isShut) receiver.closed(this.#reason)
    else this.#read(this.#streams.input, new MessageReader(receiver, this.#options))
  }

  send(message: Message | readonly Message[], options?: SendOptions): Promise<void> | undefined {
    if (this.#closing)
      return Promise.reject(new McpError('NotSent', 'Cannot send: the connection is closed', { outcome: 'NotSent' }))
    try {
      if (this.#writer.isFull) return this.#sendToSlowReader(message, options)
      const sent = this.#writer.send(writeMessage(message))
      if (sent && this.#writer.isFull) void this.#pauseReading()
      return sent
    } catch (error) {
      return Promise.reject(error)
    }
  }

  pause(): () => void {
    this.#isPaused = true
    this.#reader?.pause()
    this.#streams.input.pause()
    return () => {
      this.#isPaused = false
      this.#reader?.resume()
      this.#readOn()
    }
  }

  /** Stops reading, sends the last answers, and closes. */
  end(): Promise<void> {
    this.#ending ??= this.#end()
    return this.#ending
  }

  close(): Promise<void> {
    return this.#close(undefined)
  }

  #read(input: Readable, reader: MessageReader): void {
    this.#reader = reader
    input.on('data', (chunk: Buffer) => reader.push(chunk))
    input.on('end', () => {
      reader.end()
      void this.end()
    })
    input.on('error', () => void this.end())
    input.on('close', () => void this.end())
    if (input.destroyed) void this.end()
  }

  /** Responses, and notifications of a server that must not be dropped, wait; everything else is dropped or refused. */
  #sendToSlowReader(message: Message | readonly Message[], options?: SendOptions): Promise<void> | undefined {
    const wait = dropped(this.#writer.progress, options)
    if (wait) return wait
    const line = writeMessage(message)
    const isNotification = this.#options.role === 'server' && !('id' in message)
    return isNotification || !('method' in message) ? this.#writer.sendAnyway(line) : this.#writer.send(line)
  }

  /** No more requests are read from a client that does not read; a client reads on, or both sides could wait for each other. */
  async #pauseReading(): Promise<void> {
    const { input } = this.#streams
    if (this.#options.role !== 'server' || this.#isBackedUp) return
    this.#isBackedUp = true
    input.pause()
    while (this.#writer.isFull) await this.#writer.progress
    this.#isBackedUp = false
    this.#readOn()
  }

  #readOn(): void {
    if (!this.#isPaused && !this.#isBackedUp) this.#streams.input.resume()
  }

  async #end(): Promise<void> {
    this.#reader?.stop()
    if (this.#streams.ended) return this.#close(await this.#streams.ended())
    if (this.#receiver) await settlesWithin(this.#receiver.ended(), this.drainMs)
    return this.#close(undefined)
  }

  #close(reason: Error | undefined): Promise<void> {
    if (!this.#closing) {
      this.#reason = reason
      this.#closing = Promise.resolve().then(() => this.#shut())
    }
    return this.#closing
  }

  async #shut(): Promise<void> {
    this.#isShut = true
    this.#reader?.stop()
    this.#receiver?.closed(this.#reason)
    await this.#release(settlesWithin(this.#writer.flushed(), this.drainMs))
    this.#finish()
  }

  async #release(flushed: Promise<unknown>): Promise<void> {
    const { input, output, release } = this.#streams
    if (release) return release(flushed)
    await flushed
    output.end()
    input.destroy()
  }
}
