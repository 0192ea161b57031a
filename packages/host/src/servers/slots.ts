interface Waiter {
  readonly signal: AbortSignal | undefined
  grant(): void
}

/** Why there was no place. */
export class SlotsFull extends Error {
  override readonly name = 'SlotsFull'
}

/** A limited number of places; whoever finds none waits in line, and the line is limited too. */
export class Slots {
  readonly #most: number
  readonly #mostWaiting: number
  readonly #waiting = new Set<Waiter>()
  #taken = 0

  constructor(most: number, mostWaiting: number) {
    this.#most = most
    this.#mostWaiting = mostWaiting
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
    if (this.#taken < this.#most) this.#taken += 1
    else await this.#wait(signal)
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

  // the place goes from hand to hand, so that nobody can slip in between
  #release(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#taken -= 1
      return
    }
    this.#waiting.delete(next)
    next.grant()
  }
}
