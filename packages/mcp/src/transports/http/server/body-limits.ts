import { ConcurrencyLimit } from './concurrency-limit.ts'
import { HttpRefusal } from './refusals.ts'

/** Limits the bytes of arriving bodies: of each, and of all together. */
export class BodyLimits {
  readonly maxBytes: number
  readonly #mostArriving: number
  readonly #reading = new ConcurrencyLimit('bodies', Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
  #arriving = 0

  constructor(maxBytes: number, mostArriving: number) {
    this.maxBytes = maxBytes
    this.#mostArriving = mostArriving
  }

  /** Reserves bytes for a body; returns the refusal when there is no room. */
  hold(bytes: number): HttpRefusal | undefined {
    if (this.#arriving + bytes > this.#mostArriving)
      return new HttpRefusal(503, 'Too many request bytes at once', { 'retry-after': '1' })
    this.#arriving += bytes
    return undefined
  }

  /** Releases the bytes of a body. */
  release(bytes: number): void {
    this.#arriving -= bytes
  }

  /** Counts a body as being read, until the returned function is called. */
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
