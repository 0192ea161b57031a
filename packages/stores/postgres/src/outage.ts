import { McpError } from '@trunkline/mcp'

/** Time for which statements wait for a server that has just missed a deadline; after that they fail at once. */
const graceMs = 250
/** Longest wait between two attempts. */
const longestWaitMs = 2_000

/** Time in which the server does not answer: statements fail at once, and it is asked again in the background. */
export class Outage {
  readonly #ask: () => Promise<unknown>
  #back: Promise<void> | undefined
  #grace: Promise<void> = Promise.resolve()
  #isClosed = false

  /** @param ask Rejects if the server does not answer. */
  constructor(ask: () => Promise<unknown>) {
    this.#ask = ask
  }

  /** Undefined while all is well; a promise that rejects if the server is not back in a moment. */
  get passing(): Promise<void> | undefined {
    return this.#back && Promise.race([this.#back, this.#grace.then(() => Promise.reject(away()))])
  }

  /** Begins when a deadline passed; ends when the server answers. */
  begin(): void {
    if (this.#back || this.#isClosed) return
    this.#grace = wait(graceMs)
    this.#back = this.#untilBack().then(() => {
      this.#back = undefined
    })
  }

  close(): void {
    this.#isClosed = true
  }

  async #untilBack(): Promise<void> {
    for (let waitMs = 50; !this.#isClosed; waitMs = Math.min(longestWaitMs, 2 * waitMs)) {
      const isBack = await this.#ask().then(
        () => true,
        () => false,
      )
      if (isBack) return
      await wait(waitMs * (0.5 + Math.random() / 2))
    }
  }
}

function away(): McpError {
  const message = 'Cannot use PostgreSQL: it missed a deadline, and has not answered since then'
  return new McpError('Store', message, { outcome: 'NotSent' })
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
