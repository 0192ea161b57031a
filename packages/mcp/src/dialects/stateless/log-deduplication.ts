import type { Fields } from '../../wire/messages.ts'
import { shortHash } from './short-hash.ts'

/** The log messages of one call that are remembered; further ones may be sent again when the handler runs again. */
export const mostLogged = 1_000

/** The log messages of one call: each is sent once, however often the handler runs. */
export class LogDeduplication {
  /** The hashes of the messages sent so far. */
  readonly sent: string[]
  // by hash: how often an earlier run sent it and this one did not yet
  readonly #due = new Map<string, number>()

  constructor(earlier: readonly string[]) {
    this.sent = [...earlier]
    for (const name of earlier) this.#due.set(name, (this.#due.get(name) ?? 0) + 1)
  }

  /** True if a message has to be sent; from now on it counts as sent. */
  isNew(message: Fields): boolean {
    // a full list takes no more names, and nothing is left to compare with
    if (this.#due.size === 0 && this.sent.length >= mostLogged) return true
    const name = shortHash(JSON.stringify(message))
    const due = this.#due.get(name) ?? 0
    if (due > 0) {
      if (due > 1) this.#due.set(name, due - 1)
      else this.#due.delete(name)
      return false
    }
    if (this.sent.length < mostLogged) this.sent.push(name)
    return true
  }
}
