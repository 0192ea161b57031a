import type { Fields } from '../../wire/messages.ts'
import { shortHash } from './short-hash.ts'

/** As many log messages of one call are remembered; those beyond may be sent again when it is run again. */
export const mostLogged = 1_000

/** The log messages of one call: each is sent once, however often the handler runs. */
export class LogDeduplication {
  /** Each message sent so far, by a short name for it. */
  readonly sent: string[]
  // by name, how often an earlier run sent it and this one did not say it yet
  readonly #due = new Map<string, number>()

  constructor(earlier: readonly string[]) {
    this.sent = [...earlier]
    for (const name of earlier) this.#due.set(name, (this.#due.get(name) ?? 0) + 1)
  }

  /** Whether a message has yet to be sent; from now on it counts as sent. */
  isNew(message: Fields): boolean {
    const name = shortHash(JSON.stringify(message))
    const due = this.#due.get(name) ?? 0
    if (due > 0) {
      this.#due.set(name, due - 1)
      return false
    }
    if (this.sent.length < mostLogged) this.sent.push(name)
    return true
  }
}
