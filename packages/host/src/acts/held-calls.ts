import type { Inbox } from '../inbox/inbox.ts'
import type { OpenCall } from '../relay/open-call.ts'

/**
 * The calls that wait for each question of the inbox: it is withdrawn when the last of them is cancelled, and says that its
 * callers are gone when the last of them could not wait any longer.
 */
export class HeldCalls {
  readonly #inbox: Inbox
  readonly #waiting = new Map<string, number>()

  constructor(inbox: Inbox) {
    this.#inbox = inbox
  }

  /** Waits for the answer to a question on behalf of a call. */
  async during<Value>(question: string, { signal }: OpenCall, answered: Promise<Value>): Promise<Value> {
    this.#waiting.set(question, (this.#waiting.get(question) ?? 0) + 1)
    this.#inbox.noteCaller(question, 'waits')
    try {
      return await answered
    } finally {
      const left = (this.#waiting.get(question) ?? 1) - 1
      if (left > 0) this.#waiting.set(question, left)
      else this.#waiting.delete(question)
      if (left === 0) this.#left(question, signal)
    }
  }

  #left(question: string, signal: AbortSignal): void {
    if (isCancelled(signal)) void this.#inbox.withdraw(question, 'the client cancelled the call').catch(() => {})
    else this.#inbox.noteCaller(question, 'gone')
  }
}

/** True if a caller gave up a call; one that only lost its connection may come back for the answer. */
function isCancelled({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof DOMException && reason.name === 'AbortError'
}
