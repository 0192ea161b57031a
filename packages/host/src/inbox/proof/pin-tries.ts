import type { Store } from '../../store/store.ts'

/** Limits of guessing a PIN. */
export interface PinLimits {
  /** Wrong PINs in a row before the next one has to wait. @default 5 */
  readonly maxTries?: number
  /** Duration of the first such wait, in milliseconds; each further wrong PIN doubles it. @default 15 minutes */
  readonly waitMs?: number
  /** The longest wait, in milliseconds. @default 24 hours */
  readonly longestWaitMs?: number
}

const defaults = {
  maxTries: 5,
  waitMs: 15 * 60_000,
  longestWaitMs: 24 * 3_600_000,
} as const satisfies PinLimits

/** Counts wrong PINs in the store, so that ending the host gives no further tries. */
export class PinTries {
  readonly #store: Store
  readonly #limits: Required<PinLimits>

  constructor(store: Store, limits: PinLimits = {}) {
    this.#store = store
    this.#limits = { ...defaults, ...limits }
  }

  /** Time of the next possible PIN, as in `Date.now()`; undefined when it can be tried now. */
  get waitUntil(): number | undefined {
    const { waitUntil } = this.#read()
    return waitUntil > Date.now() ? waitUntil : undefined
  }

  /** Counts one try as wrong, before anything is compared; tells when the next one is due. */
  async begin(): Promise<{ readonly triesLeft: number; readonly waitUntil: number | undefined }> {
    const { maxTries, waitMs, longestWaitMs } = this.#limits
    const failed = this.#read().failed + 1
    const over = failed - maxTries
    const waitUntil = over < 0 ? 0 : Date.now() + Math.min(waitMs * 2 ** Math.min(over, 20), longestWaitMs)
    await this.#write(failed, waitUntil)
    return { triesLeft: Math.max(0, -over), waitUntil: waitUntil || undefined }
  }

  /** The PIN was right: counts anew. */
  clear(): Promise<void> {
    return this.#write(0, 0)
  }

  #read(): { readonly failed: number; readonly waitUntil: number } {
    const row = this.#store.database.prepare('SELECT failed, wait_until FROM proof_tries').get()
    return { failed: Number(row?.failed ?? 0), waitUntil: Number(row?.wait_until ?? 0) }
  }

  #write(failed: number, waitUntil: number): Promise<void> {
    return this.#store.durable(() => {
      this.#store.database
        .prepare('INSERT OR REPLACE INTO proof_tries (id, failed, wait_until) VALUES (1, ?, ?)')
        .run(failed, waitUntil)
    })
  }
}
