/** Reads a log of the store when there may be more of it, one read at a time. */
export class LogReader {
  readonly #read: () => Promise<boolean> | boolean
  readonly #failed: (error: unknown) => void
  #reading = Promise.resolve()
  #isReading = false
  #isStale = false

  /** `read` handles the next part and returns true if there may be more. */
  constructor(read: () => Promise<boolean> | boolean, failed: (error: unknown) => void) {
    this.#read = read
    this.#failed = failed
  }

  /** Reads to the end of the log; resolves then, or when a read has failed. */
  wake(): Promise<void> {
    this.#isStale = true
    if (!this.#isReading) {
      this.#isReading = true
      this.#reading = this.#toTheEnd()
    }
    return this.#reading
  }

  async #toTheEnd(): Promise<void> {
    try {
      while (this.#isStale) {
        this.#isStale = false
        if (await this.#read()) this.#isStale = true
      }
    } catch (error) {
      this.#failed(error)
    } finally {
      // at once: what is told between the last read and a later moment would be missed
      this.#isReading = false
    }
  }
}
