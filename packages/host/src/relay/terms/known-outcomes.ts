import type { Fields } from '@trunkline/mcp'
import type { Store } from '../../store/store.ts'
import { OutcomeTable } from '../../store/tables/outcome-table.ts'

/** Limits of the remembered outcomes of calls with a key. */
export interface OutcomeLimits {
  /** Calls that are remembered for one principal; the oldest goes first. @default 1_000 */
  readonly maxPerPrincipal?: number
  /** Bytes of results that are remembered for all principals; the oldest go first. @default 64 MiB */
  readonly maxTotalBytes?: number
  /** Milliseconds that a call is remembered. @default 24 hours */
  readonly maxAgeMs?: number
}

const defaults = {
  maxPerPrincipal: 1_000,
  maxTotalBytes: 64 * 1024 ** 2,
  maxAgeMs: 24 * 3_600_000,
} as const satisfies OutcomeLimits

/** Bytes that a row takes beside its result. */
const rowBytes = 300

/** Known outcome of a call with a key; without a result it began, and its end is unknown. */
export interface KnownOutcome {
  readonly arguments: string
  readonly result: Fields | undefined
}

/** Remembered calls with a key, and their outcomes. */
export class KnownOutcomes {
  readonly #store: Store
  readonly #table: OutcomeTable
  readonly #limits: Required<OutcomeLimits>

  constructor(store: Store, limits: OutcomeLimits = {}) {
    this.#store = store
    this.#table = new OutcomeTable(store)
    this.#limits = { ...defaults, ...limits }
  }

  find(key: string, now = Date.now()): KnownOutcome | undefined {
    const row = this.#table.find(key, now)
    if (!row) return undefined
    return { ...row, result: row.result === undefined ? undefined : (JSON.parse(row.result) as Fields) }
  }

  /** Notes that a call begins, before it leaves. */
  async begin(key: string, principal: string, args: string): Promise<void> {
    const expires = Date.now() + this.#limits.maxAgeMs
    await this.#store.batch(() => {
      this.#table.put({ key, principal, arguments: args, expires, bytes: rowBytes })
      this.#table.makeRoom(principal, this.#limits)
    })
  }

  /** Keeps the outcome of a call; of one that is larger than the limit, only its size. */
  async done(key: string, result: Fields): Promise<void> {
    const whole = JSON.stringify(result)
    const text = whole.length + rowBytes > this.#limits.maxTotalBytes ? JSON.stringify(tooLarge(whole.length)) : whole
    await this.#store.batch(() => {
      const principal = this.#table.setResult(key, text, Buffer.byteLength(text) + rowBytes)
      if (principal !== undefined) this.#table.makeRoom(principal, this.#limits)
    })
  }

  /** Forgets a call that did not take place. */
  async remove(key: string): Promise<void> {
    await this.#store.batch(() => this.#table.remove(key))
  }

  /** Removes old outcomes. */
  async prune(now = Date.now()): Promise<void> {
    await this.#store.batch(() => this.#table.removeExpired(now))
  }

  get size(): { readonly rows: number; readonly bytes: number } {
    return this.#table.size()
  }
}

function tooLarge(chars: number): Fields {
  const text = `The call took effect. Its result of ${chars} characters was too large to be kept for a repeat`
  return { content: [{ type: 'text', text }], isError: true }
}
