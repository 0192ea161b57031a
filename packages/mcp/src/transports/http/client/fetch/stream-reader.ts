import type { Readable } from 'node:stream'
import { GrowingBuffer } from '@trunkline/base/growing-buffer'
import type { BodyReader } from '../http-response.ts'

type Piece = Awaited<ReturnType<BodyReader['read']>>

/** Bytes that may be buffered before the stream is paused. */
const mostWaitingBytes = 65_536

/**
 * Reads a stream in chunks through its events, because the async iterator of streams is slow. Chunks that arrive
 * between two reads are joined.
 */
export class StreamReader implements BodyReader {
  readonly #stream: Readable
  readonly #waiting = new GrowingBuffer()
  #isOver = false
  #error: Error | undefined
  #wanted: { resolve(piece: Piece): void; reject(error: Error): void } | undefined

  constructor(stream: Readable) {
    this.#stream = stream
    stream.on('data', (chunk: Uint8Array) => this.#arrived(chunk))
    stream.on('end', () => this.#over())
    stream.on('error', (error) => this.#over(error))
    stream.on('close', () => this.#closed())
  }

  read(): Promise<Piece> {
    if (this.#waiting.length > 0) {
      const value = this.#waiting.take()
      if (this.#stream.isPaused()) this.#stream.resume()
      return Promise.resolve({ done: false, value })
    }
    if (this.#error) return Promise.reject(this.#error)
    if (this.#isOver) return Promise.resolve({ done: true })
    return new Promise((resolve, reject) => {
      this.#wanted = { resolve, reject }
    })
  }

  async cancel(): Promise<void> {
    this.#stream.destroy()
  }

  #arrived(value: Uint8Array): void {
    if (this.#wanted) {
      this.#wanted.resolve({ done: false, value })
      this.#wanted = undefined
      return
    }
    this.#waiting.adopt(value)
    if (this.#waiting.length >= mostWaitingBytes) this.#stream.pause()
  }

  // every stream is closed at last; an error is made only for one that has not ended, since each captures a stack
  #closed(): void {
    if (!this.#isOver) this.#over(new Error('The stream was closed before its end'))
  }

  #over(error?: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#error = error
    if (error) this.#wanted?.reject(error)
    else this.#wanted?.resolve({ done: true })
    this.#wanted = undefined
  }
}
