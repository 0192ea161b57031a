import type { Writable } from 'node:stream'
import { McpError } from '../../wire/errors.ts'
import { stdioLimits } from './stdio-limits.ts'

// larger writes are not faster
const fullWrite = 64 * 1024

/** Writes lines: those of one tick in one write, with backpressure for senders. */
export class MessageWriter {
  readonly #output: Writable
  readonly #write: Writable['write']
  readonly #maxQueuedChars: number
  #queue = ''
  #isScheduled = false
  #blocked: Blocked | undefined
  #broken: Error | undefined

  /** Is full when so many characters wait because the other side does not read. */
  constructor(output: Writable, maxQueuedChars: number = stdioLimits.maxQueuedChars) {
    this.#output = output
    // bound now, because a server later redirects `output.write` to stderr
    this.#write = output.write.bind(output)
    this.#maxQueuedChars = maxQueuedChars
    output.on('drain', () => this.#unblock())
    output.on('error', (error) => this.#break(error))
    output.on('close', () => this.#break(new Error('the stream was closed')))
  }

  /** True if more waits than the limit allows, in the queue or in the stream. */
  get isFull(): boolean {
    return this.#blocked !== undefined && this.#queue.length + this.#output.writableLength > this.#maxQueuedChars
  }

  /** Resolves when the other side has read something, or the stream has failed. */
  get progress(): Promise<void> {
    return this.#blocked?.promise.catch(() => {}) ?? Promise.resolve()
  }

  /** Sends a line that may be refused; rejects when it certainly was not sent, resolves when there is room for more. */
  send(line: string): Promise<void> | undefined {
    return this.isFull ? Promise.reject(notSent('the other side does not read')) : this.sendAnyway(line)
  }

  /** Sends a line that must not be lost: it waits, however much waits already. */
  sendAnyway(line: string): Promise<void> | undefined {
    if (this.#broken) return Promise.reject(notSent(this.#broken.message, this.#broken))
    this.#queue += `${line}\n`
    if (this.#blocked) return this.#blocked.promise
    if (this.#queue.length < fullWrite) {
      this.#schedule()
      return undefined
    }
    this.#flush()
    return this.#afterWrite()
  }

  /** Resolves when everything was written, or the stream has failed. */
  flushed(): Promise<void> {
    this.#flush()
    return new Promise((resolve) => {
      if (this.#broken) resolve()
      else this.#write('', () => resolve())
    })
  }

  // a written line may have been sent, even if the stream fails later
  #afterWrite(): Promise<void> | undefined {
    return this.#blocked?.promise.catch(() => {})
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    process.nextTick(() => {
      this.#isScheduled = false
      if (!this.#blocked) this.#flush()
    })
  }

  #flush(): void {
    if (this.#queue === '' || this.#broken) return
    const lines = this.#queue
    this.#queue = ''
    if (!this.#write(lines)) this.#blocked ??= new Blocked()
  }

  #unblock(): void {
    const blocked = this.#blocked
    this.#blocked = undefined
    this.#flush()
    blocked?.resolve()
  }

  #break(reason: Error): void {
    this.#broken ??= reason
    this.#queue = ''
    this.#blocked?.reject(notSent(reason.message, reason))
    this.#blocked = undefined
  }
}

/** A wait until the other side reads again. */
class Blocked {
  readonly promise: Promise<void>
  resolve!: () => void
  reject!: (reason: Error) => void

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    // there may be no waiter
    this.promise.catch(() => {})
  }
}

function notSent(why: string, cause?: Error): McpError {
  return new McpError('NotSent', `Cannot send: ${why}`, { outcome: 'NotSent', cause })
}
