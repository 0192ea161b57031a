/** One look at something that may change. */
export interface Look {
  /** Mark of its state, such as a version or a hash; undefined if it is gone. */
  readonly state: string | undefined
}

/** Options of {@link PolledChanges}. */
export interface PollOptions {
  /** Looks at an address; rejects where the product cannot be asked now. */
  readonly look: (uri: string) => Promise<Look>
  /** Hears of each address that changed. */
  readonly changed: (uri: string) => void
  /** Milliseconds until the next round, asked after each one: a product that is nearly at its limit is asked less often. */
  readonly nextRoundMs: (addresses: number) => number
  /** The most addresses that are looked at; others are not watched. @default 50 */
  readonly maxAddresses?: number
}

/** Looks at subscribed addresses again and again, one after the other; each subscriber hears once at the start. */
export class PolledChanges {
  readonly #options: PollOptions
  readonly #watched = new Map<string, { watchers: number; last: string | undefined; wasSeen: boolean }>()
  #timer: NodeJS.Timeout | undefined
  #isLooking = false

  constructor(options: PollOptions) {
    this.#options = options
  }

  /** Number of watched addresses. */
  get size(): number {
    return this.#watched.size
  }

  /** Begins to look at addresses; returns what ends that. */
  add(uris: readonly string[]): () => void {
    const { maxAddresses = 50 } = this.#options
    const added = new Set<string>()
    for (const uri of new Set(uris)) {
      const known = this.#watched.get(uri)
      if (known === undefined && this.#watched.size >= maxAddresses) continue
      this.#watched.set(uri, { watchers: 1 + (known?.watchers ?? 0), last: undefined, wasSeen: false })
      added.add(uri)
    }
    this.#plan(0)
    return () => {
      for (const uri of added) this.#leave(uri)
      added.clear()
    }
  }

  #leave(uri: string): void {
    const watched = this.#watched.get(uri)
    if (watched === undefined) return
    if (--watched.watchers === 0) this.#watched.delete(uri)
    if (this.#watched.size === 0) clearTimeout(this.#timer)
  }

  #plan(afterMs: number): void {
    clearTimeout(this.#timer)
    if (this.#watched.size === 0 || this.#isLooking) return
    this.#timer = setTimeout(() => void this.#round(), afterMs).unref()
  }

  async #round(): Promise<void> {
    this.#isLooking = true
    for (const [uri, watched] of [...this.#watched]) {
      // a product that cannot be asked now says nothing about changes
      const look = await this.#options.look(uri).catch(() => undefined)
      if (look === undefined || this.#watched.get(uri) !== watched) continue
      // the first look comes after the subscription: whatever changed between them is told by it
      if (!watched.wasSeen || look.state !== watched.last) this.#options.changed(uri)
      watched.last = look.state
      watched.wasSeen = true
    }
    this.#isLooking = false
    const isNew = [...this.#watched.values()].some(({ wasSeen }) => !wasSeen)
    const pauseMs = this.#options.nextRoundMs(this.#watched.size)
    this.#plan(isNew ? Math.min(pauseMs, 1_000) : pauseMs)
  }
}
