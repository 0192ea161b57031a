import type { Writable } from 'node:stream'
import { McpError } from '../../wire/errors.ts'
import { stdioLimits } from './limits.ts'

// larger writes are not faster
const fullWrite = 64 * 1024

/** Writes lines: those of one tick in one write, with backpressure for senders. */
export class MessageWriter {
  readonly #write: Writable['write']
  readonly #maxQueuedChars: number
  #queue = ''
  #isScheduled = false
  #blocked: Blocked | undefined
  #broken: Error | undefined

  /** Lets so many characters wait while the other side does not read; beyond that, sending is refused. */
  constructor(output: Writable, maxQueuedChars: number = stdioLimits.maxQueuedChars) {
    // bound now, because a server later redirects `output.write` to stderr
    this.#write = output.write.bind(output)
    this.#maxQueuedChars = maxQueuedChars
    output.on('drain', () => this.#unblock())
    output.on('error', (error) => this.#break(error))
    output.on('close', () => this.#break(new Error('the stream was closed')))
  }

  /** Resolves when there is room for more; rejects when the line certainly was not sent. */
  send(line: string): Promise<void> | undefined {
    if (this.#broken) return Promise.reject(notSent(this.#broken.message, this.#broken))
    if (this.#blocked && this.#queue.length > this.#maxQueuedChars)
      return Promise.reject(notSent('the other side does not read'))
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
    // nobody may be waiting for it
    this.promise.catch(() => {})
  }
}

function notSent(why: string, cause?: Error): McpError {
  return new McpError('NotSent', `Cannot send: ${why}`, { outcome: 'NotSent', cause })
}
