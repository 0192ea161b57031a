/** Holds back what arrives while reading is paused, and with that the reading of more. */
export class ReadingGate {
  #resumed: Promise<void> | undefined
  #resume = (): void => {}

  get isPaused(): boolean {
    return this.#resumed !== undefined
  }

  /** Holds back what arrives, until the returned function is called. */
  pause(): () => void {
    this.#resumed ??= new Promise((resolve) => {
      this.#resume = resolve
    })
    return () => this.resume()
  }

  resume(): void {
    this.#resumed = undefined
    this.#resume()
  }

  /** Delivers what was held back, in order and as far as reading is not paused; resolves when nothing is left. */
  async deliver<Held>(held: Held[], receive: (one: Held) => void): Promise<void> {
    while (this.#resumed) {
      await this.#resumed
      while (held.length > 0 && !this.isPaused) receive(held.shift() as Held)
    }
  }
}
