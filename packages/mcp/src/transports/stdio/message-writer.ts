import type { Writable } from 'node:stream'
import { McpError } from '../../wire/errors.ts'
import { stdioLimits } from './limits.ts'

// a write of this size gains nothing by growing further
const fullWrite = 64 * 1024

/** Lines on their way out: those of one tick leave in one write, and senders learn when to wait. */
export class MessageWriter {
  readonly #write: Writable['write']
  readonly #maxQueuedChars: number
  #queue = ''
  #isScheduled = false
  #blocked: Blocked | undefined
  #broken: Error | undefined

  /** Lets so many characters wait while the other side does not read; beyond that, sending is refused. */
  constructor(output: Writable, maxQueuedChars: number = stdioLimits.maxQueuedChars) {
    // bound now: a server leads those who call `output.write` later elsewhere
    this.#write = output.write.bind(output)
    this.#maxQueuedChars = maxQueuedChars
    output.on('drain', () => this.#unblock())
    output.on('error', (error) => this.#break(error))
    output.on('close', () => this.#break(new Error('the stream was closed')))
  }

  /** Resolves when there is room for more; rejects when the line certainly did not leave. */
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

  /** Resolves when all that was sent is out of this process, or never will be. */
  flushed(): Promise<void> {
    this.#flush()
    return new Promise((resolve) => {
      if (this.#broken) resolve()
      else this.#write('', () => resolve())
    })
  }

  // a line that was written may have left, whatever becomes of the stream
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

/** The time until the other side reads again. */
class Blocked {
  readonly promise: Promise<void>
  resolve!: () => void
  reject!: (reason: Error) => void

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    // whoever does not wait need not hear of it
    this.promise.catch(() => {})
  }
}

function notSent(why: string, cause?: Error): McpError {
  return new McpError('NotSent', `Cannot send: ${why}`, { outcome: 'NotSent', cause })
}
