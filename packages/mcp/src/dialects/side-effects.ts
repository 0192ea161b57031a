/** The side effects of one call: each runs once, also when it is requested again meanwhile or later. */
export class SideEffects {
  readonly #running = new Map<string, Promise<unknown>>()

  async once<T>(key: string, run: () => T | Promise<T>): Promise<T> {
    const known = this.#running.get(key)
    if (known) return known as Promise<T>
    const running = Promise.resolve(run())
    this.#running.set(key, running)
    try {
      return await running
    } catch (error) {
      // a failed effect may be tried again
      this.#running.delete(key)
      throw error
    }
  }
}
