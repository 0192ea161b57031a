import type { Change } from '../model/types.ts'

/** Tells one listener of changes without ever queueing more than one notice of each. */
export class Announcer {
  readonly #tell: (change: Change) => Promise<void> | undefined
  readonly #waiting = new Map<string, Change>()
  #telling = false

  constructor(tell: (change: Change) => Promise<void> | undefined) {
    this.#tell = tell
  }

  announce(change: Change): void {
    this.#waiting.set(change.kind === 'resource' ? `resource ${change.uri}` : change.kind, change)
    if (this.#telling) return
    this.#telling = true
    queueMicrotask(() => void this.#tellAll())
  }

  // while a slow listener takes one notice, further changes of the same kind fall together
  async #tellAll(): Promise<void> {
    try {
      for (let next = this.#take(); next; next = this.#take()) await this.#tell(next)
    } catch {
      // the listener is gone; its channel says so itself
      this.#waiting.clear()
    }
    this.#telling = false
  }

  #take(): Change | undefined {
    const [first] = this.#waiting
    if (!first) return undefined
    this.#waiting.delete(first[0])
    return first[1]
  }
}
