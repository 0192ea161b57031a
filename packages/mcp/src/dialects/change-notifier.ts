/** Sends notifications to one listener; while it does not read, only the latest of each kind waits. */
export class ChangeNotifier<Notice> {
  readonly #tell: (notice: Notice) => Promise<void> | undefined
  readonly #waiting = new Map<string, Notice>()
  #telling = false

  constructor(tell: (notice: Notice) => Promise<void> | undefined) {
    this.#tell = tell
  }

  /** Sends a notification; of those with the same key only the latest waits. */
  announce(key: string, notice: Notice): void {
    this.#waiting.set(key, notice)
    if (this.#telling) return
    this.#telling = true
    queueMicrotask(() => void this.#tellAll())
  }

  // while a slow listener reads one notification, further ones of the same kind are merged
  async #tellAll(): Promise<void> {
    try {
      for (let next = this.#take(); next; next = this.#take()) await this.#tell(next[1])
    } catch {
      // the listener is gone, which its channel reports
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
