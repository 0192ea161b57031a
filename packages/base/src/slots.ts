interface Waiter {
  readonly signal: AbortSignal | undefined
  grant(): void
}

/** Error of a full queue. */
export class SlotsFull extends Error {
  override readonly name = 'SlotsFull'
}

/** A limited number of places; a caller that finds none waits in a queue, which is limited too. */
export class Slots {
  #most: number
  readonly #mostWaiting: number
  readonly #waiting = new Set<Waiter>()
  #taken = 0

  constructor(most: number, mostWaiting: number) {
    this.#most = most
    this.#mostWaiting = mostWaiting
  }

  get most(): number {
    return this.#most
  }

  /** Number of places; a larger one lets waiting callers go on, and with a smaller one no holder loses its place. */
  set most(most: number) {
    this.#most = most
    while (this.#taken < most && this.#waiting.size > 0) {
      this.#taken += 1
      this.#next()
    }
  }

  get taken(): number {
    return this.#taken
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** Takes a place; the returned function gives it back, and giving it back twice is harmless. */
  async take(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted()
    const free = this.takeFree()
    if (free) return free
    await this.#wait(signal)
    return this.#held()
  }

  /** Takes a free place, which there mostly is; undefined if the caller would have to wait. */
  takeFree(): (() => void) | undefined {
    if (this.#taken >= this.#most) return undefined
    this.#taken += 1
    return this.#held()
  }

  #held(): () => void {
    let isHeld = true
    return () => {
      if (isHeld) this.#release()
      isHeld = false
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting.size >= this.#mostWaiting) {
      throw new SlotsFull(`${this.#most} are under way and ${this.#mostWaiting} wait already`)
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(waiter)
        reject(signal?.reason)
      }
      const waiter: Waiter = {
        signal,
        grant: () => {
          signal?.removeEventListener('abort', leave)
          resolve()
        },
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.add(waiter)
    })
  }

  // the place passes directly to the next in the queue, so that no other caller can take it in between
  #release(): void {
    if (this.#waiting.size === 0 || this.#taken > this.#most) this.#taken -= 1
    else this.#next()
  }

  #next(): void {
    const [next] = this.#waiting
    if (!next) return
    this.#waiting.delete(next)
    next.grant()
  }
}
