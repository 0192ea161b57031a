/** Tells one listener of what happens without ever queueing more than one notice of each kind. */
export class ChangeNotifier<Notice> {
  readonly #tell: (notice: Notice) => Promise<void> | undefined
  readonly #waiting = new Map<string, Notice>()
  #telling = false

  constructor(tell: (notice: Notice) => Promise<void> | undefined) {
    this.#tell = tell
  }

  /** Tells of something; of the notices under one key only the latest waits. */
  announce(key: string, notice: Notice): void {
    this.#waiting.set(key, notice)
    if (this.#telling) return
    this.#telling = true
    queueMicrotask(() => void this.#tellAll())
  }

  // while a slow listener takes one notice, further notices of the same kind fall together
  async #tellAll(): Promise<void> {
    try {
      for (let next = this.#take(); next; next = this.#take()) await this.#tell(next[1])
    } catch {
      // the listener is gone; its channel says so itself
      this.#waiting.clear()
    }
    this.#telling = false
  }

  #take(): [key: string, notice: Notice] | undefined {
    const [first] = this.#waiting
    if (first) this.#waiting.delete(first[0])
    return first
  }
}
