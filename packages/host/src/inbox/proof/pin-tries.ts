import type { Store } from '../../store/store.ts'
import { PinTriesTable } from '../../store/tables/proof-tables.ts'

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
  readonly #table: PinTriesTable
  readonly #limits: Required<PinLimits>

  constructor(store: Store, limits: PinLimits = {}) {
    this.#store = store
    this.#table = new PinTriesTable(store)
    this.#limits = { ...defaults, ...limits }
  }

  /** Time of the next possible PIN, as in `Date.now()`; undefined when it can be tried now. */
  get waitUntil(): number | undefined {
    const { waitUntil } = this.#table.get()
    return waitUntil > Date.now() ? waitUntil : undefined
  }

  /** Counts one try as wrong, before anything is compared; tells when the next one is due. */
  async begin(): Promise<{ readonly triesLeft: number; readonly waitUntil: number | undefined }> {
    const { maxTries, waitMs, longestWaitMs } = this.#limits
    const failed = this.#table.get().failed + 1
    const over = failed - maxTries
    const waitUntil = over < 0 ? 0 : Date.now() + Math.min(waitMs * 2 ** Math.min(over, 20), longestWaitMs)
    await this.#store.durable(() => this.#table.put({ failed, waitUntil }))
    return { triesLeft: Math.max(0, -over), waitUntil: waitUntil || undefined }
  }

  /** The PIN was right: counts anew. */
  clear(): Promise<void> {
    return this.#store.durable(() => this.#table.put({ failed: 0, waitUntil: 0 }))
  }
}
