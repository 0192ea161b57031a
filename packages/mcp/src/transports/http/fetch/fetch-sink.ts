import type { Output, SlowReaders } from '../../backpressure.ts'
import type { EventSink } from '../server/request-reply.ts'

/** Bytes that a runtime buffers. */
const highWaterMark = 65_536

/** A stream of events as the body of a web-standard response. */
export class FetchSink implements EventSink, Output {
  readonly readable: ReadableStream<Uint8Array>
  readonly #readers: SlowReaders
  readonly #gone: () => void
  readonly #closed: () => void
  readonly #encoder = new TextEncoder()
  #controller!: ReadableStreamDefaultController<Uint8Array>
  #pulled: Promise<void> | undefined
  #onPull: (() => void) | undefined
  #state: 'open' | 'ending' | 'over' = 'open'

  /** Calls `gone` when the reader disconnects, and `closed` when the stream ends in any way. */
  constructor(readers: SlowReaders, gone: () => void, closed: () => void) {
    this.#readers = readers
    this.#gone = gone
    this.#closed = closed
    this.readable = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => this.#wake(),
        cancel: () => this.#leave(),
      },
      { highWaterMark, size: (chunk) => chunk?.byteLength ?? 0 },
    )
  }

  write(text: string): Promise<void> | undefined {
    if (this.#state !== 'open') return undefined
    const bytes = this.#encoder.encode(text)
    this.#controller.enqueue(bytes)
    this.#readers.wrote(this, bytes.length)
    return this.#room > 0 ? undefined : this.#whenPulled()
  }

  get full(): Promise<void> | undefined {
    return this.#state === 'open' && this.#readers.isFull(this) ? this.#whenPulled() : undefined
  }

  get unreadBytes(): number {
    return this.#state === 'over' ? 0 : highWaterMark - this.#room
  }

  end(): void {
    if (this.#state !== 'open') return
    this.#state = 'ending'
    if (this.#room > 0) this.#finish()
  }

  destroy(): void {
    if (this.#state === 'over') return
    this.#controller.error(new Error('The stream was not read'))
    this.#leave()
  }

  // listeners may close the stream again
  #leave(): void {
    this.#state = 'over'
    this.#gone()
    this.#shut()
  }

  #finish(): void {
    this.#controller.close()
    this.#state = 'over'
    this.#shut()
  }

  #shut(): void {
    this.#readers.forget(this)
    this.#wake()
    this.#closed()
  }

  get #room(): number {
    return this.#controller.desiredSize ?? 0
  }

  // one promise for all waiters
  #whenPulled(): Promise<void> {
    this.#pulled ??= new Promise((resolve) => {
      this.#onPull = resolve
    })
    return this.#pulled
  }

  #wake(): void {
    this.#onPull?.()
    this.#onPull = undefined
    this.#pulled = undefined
    if (this.#state === 'ending') this.#finish()
  }
}
