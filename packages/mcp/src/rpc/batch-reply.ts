import type { Response } from '../wire/messages.ts'

/** Gathers the responses to one batch and sends them together when the last is there. */
export class BatchReply {
  readonly #responses: Response[] = []
  readonly #send: (responses: readonly Response[]) => void
  #missing: number

  constructor(requests: number, send: (responses: readonly Response[]) => void) {
    this.#missing = requests
    this.#send = send
  }

  /** Takes one response, or nothing for a request that was cancelled and is not answered. */
  add(response: Response | undefined): void {
    if (response) this.#responses.push(response)
    this.#missing -= 1
    if (this.#missing === 0 && this.#responses.length > 0) this.#send(this.#responses)
  }
}
