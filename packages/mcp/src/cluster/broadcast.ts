import type { ProcessInbox } from '../stores/cluster.ts'

/** An entry for all processes. */
interface KeptEntry {
  readonly text: string
  /** Time as in `performance.now()` until which it is kept. */
  readonly until: number
  /** Processes that have it. */
  readonly told: Set<string>
}

/** Milliseconds for which an entry is kept for processes that are not there. */
const keptMs = 60_000
/** Entries that are kept; the oldest are dropped. */
const mostKept = 1_000
/** Characters of an entry that is kept; a longer one is told only to those that live. */
const mostChars = 16_384

/**
 * Entries for all processes, those included that are not known to live at the moment: one that was cut off, or that the store
 * has forgotten by a failover, may be at work and hears of them when it is back.
 */
export class Broadcast {
  readonly #inbox: ProcessInbox
  readonly #kept: KeptEntry[] = []

  constructor(inbox: ProcessInbox) {
    this.#inbox = inbox
  }

  /** Tells processes, and later those that come back. */
  async tell(epochs: readonly string[], text: string): Promise<void> {
    const entry = { text, until: performance.now() + keptMs, told: new Set<string>() }
    if (text.length <= mostChars) this.#kept.push(entry)
    if (this.#kept.length > mostKept) this.#kept.shift()
    await this.#post(entry, epochs)
  }

  /** Tells processes that live what they have not been told yet. */
  async tellRest(epochs: readonly string[]): Promise<void> {
    const now = performance.now()
    while (this.#kept[0] && this.#kept[0].until <= now) this.#kept.shift()
    await Promise.all(this.#kept.map((entry) => this.#post(entry, epochs)))
  }

  async #post({ text, told }: KeptEntry, epochs: readonly string[]): Promise<void> {
    const rest = epochs.filter((epoch) => !told.has(epoch))
    if (rest.length === 0) return
    for (const epoch of rest) told.add(epoch)
    let heard: readonly string[] = []
    try {
      heard = await this.#inbox.post(rest, text)
    } finally {
      for (const epoch of rest) if (!heard.includes(epoch)) told.delete(epoch)
    }
  }
}
