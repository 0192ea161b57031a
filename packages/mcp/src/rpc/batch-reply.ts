import type { ResponseMessage } from '../wire/messages.ts'

/** Collects the responses to a batch and sends them together. */
export class BatchReply {
  readonly #responses: ResponseMessage[] = []
  readonly #send: (responses: readonly ResponseMessage[]) => void
  #missing: number

  constructor(requests: number, send: (responses: readonly ResponseMessage[]) => void) {
    this.#missing = requests
    this.#send = send
  }

  /** Adds a response, or undefined for a cancelled request. */
  add(response: ResponseMessage | undefined): void {
    if (response) this.#responses.push(response)
    this.#missing -= 1
    if (this.#missing === 0 && this.#responses.length > 0) this.#send(this.#responses)
  }
}
