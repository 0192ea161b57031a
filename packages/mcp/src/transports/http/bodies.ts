import { HttpRefusal } from './face.ts'

/** What bodies may take while they arrive: each for itself, and all of them together. */
export class Bodies {
  readonly maxBytes: number
  readonly #mostArriving: number
  readonly #waiting: (() => void)[] = []
  #arriving = 0
  #reading = 0

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

  /** Somebody reads a body from now on, until `finish`. */
  begin(): void {
    this.#reading += 1
  }

  finish(): void {
    this.#reading -= 1
    if (this.#reading === 0) for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Resolves when no body is being read. */
  async whenRead(): Promise<void> {
    if (this.#reading > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  tooLarge(): HttpRefusal {
    return new HttpRefusal(413, `Content too large: at most ${this.maxBytes} bytes`)
  }
}
