import { ConcurrencyLimit } from './concurrency-limit.ts'
import { HttpRefusal } from './refusals.ts'

/** What bodies may take while they arrive: each for itself, and all of them together. */
export class BodyLimits {
  readonly maxBytes: number
  readonly #mostArriving: number
  readonly #reading = new ConcurrencyLimit('bodies', Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
  #arriving = 0

  constructor(maxBytes: number, mostArriving: number) {
    this.maxBytes = maxBytes
    this.#mostArriving = mostArriving
  }

  /** Makes room for more of a body that is not complete; tells why there is none. */
  hold(bytes: number): HttpRefusal | undefined {
    if (this.#arriving + bytes > this.#mostArriving)
      return new HttpRefusal(503, 'Too much is arriving at once', { 'retry-after': '1' })
    this.#arriving += bytes
    return undefined
  }

  /** The body they belonged to is complete, or will never be. */
  release(bytes: number): void {
    this.#arriving -= bytes
  }

  /** Somebody reads a body, until the returned function is called. */
  begin(): () => void {
    return this.#reading.take(undefined)
  }

  /** Resolves when no body is being read. */
  whenRead(): Promise<void> {
    return this.#reading.whenFree()
  }

  tooLarge(): HttpRefusal {
    return new HttpRefusal(413, `Content too large: at most ${this.maxBytes} bytes`)
  }
}
