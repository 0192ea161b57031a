import { randomId } from '@trunkline/base/random-id'
import type { Fields } from '@trunkline/mcp'
import type { ServerKey } from '../../act/server-key.ts'
import type { Store } from '../../store/store.ts'
import { type SpillSize, SpillTable } from '../../store/tables/spill-table.ts'
import { type WholeResult, wholeOf } from './read-range.ts'

/** A result that was too large to be passed on, as its server gave it. */
export interface Spill {
  readonly id: string
  readonly server: ServerKey
  readonly target: string
  readonly at: number
  readonly bytes: number
  readonly result: Fields
}

export interface SpillLimits {
  /** Results that are kept for one principal; the oldest goes first. @default 100 */
  readonly maxPerPrincipal?: number
  /** Bytes that are kept for one principal. @default 64 MiB */
  readonly maxBytesPerPrincipal?: number
  /** Bytes that are kept for all principals together. @default 512 MiB */
  readonly maxTotalBytes?: number
  /** Time that a result is kept, in milliseconds. @default 24 hours */
  readonly maxAgeMs?: number
}

const defaults = {
  maxPerPrincipal: 100,
  maxBytesPerPrincipal: 64 * 1024 ** 2,
  maxTotalBytes: 512 * 1024 ** 2,
  maxAgeMs: 24 * 3_600_000,
} as const satisfies SpillLimits

/** Bytes that a row takes beside its result. */
const rowBytes = 300

/** Results that were too large to be passed on, each only for the principal whose call it answers. */
export class Spills {
  readonly limits: Required<SpillLimits>
  readonly #store: Store
  readonly #table: SpillTable
  readonly #listeners = new Set<(principalId: string) => void>()
  // asked with every list of tools, so it is not looked up each time
  readonly #holders: Set<string>
  #lastWhole: { readonly id: string; readonly whole: WeakRef<WholeResult> } | undefined

  constructor(store: Store, limits: SpillLimits = {}) {
    this.#store = store
    this.#table = new SpillTable(store)
    this.limits = { ...defaults, ...limits }
    this.#holders = new Set(this.#table.principals())
  }

  /** True if there is a result to read for a principal. */
  has(principalId: string): boolean {
    return this.#holders.has(principalId)
  }

  /** Calls back when a principal has its first result to read, or has none any more. */
  onChange(listener: (principalId: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Keeps a result; undefined when it is larger than everything that one principal may keep. */
  async keep(principalId: string, spill: Pick<Spill, 'server' | 'target' | 'result'>): Promise<Spill | undefined> {
    const text = JSON.stringify(spill.result)
    const bytes = Buffer.byteLength(text) + rowBytes
    if (bytes > Math.min(this.limits.maxBytesPerPrincipal, this.limits.maxTotalBytes)) return undefined
    const kept = { ...spill, id: randomId(12), at: Date.now(), bytes }
    await this.#store.batch(() => {
      this.#table.insert(principalId, { ...kept, result: text })
      this.#dropOldest(principalId)
    })
    this.#noteHolders()
    return kept
  }

  /** A result of this principal; another principal's is as unknown as one that never was. */
  find(principalId: string, id: string): Spill | undefined {
    const row = this.#table.find(principalId, id, Date.now() - this.limits.maxAgeMs)
    return row && { ...row, result: JSON.parse(row.result) as Fields }
  }

  /** A whole result of this principal as bytes, and its server. */
  whole(principalId: string, id: string): (WholeResult & Pick<Spill, 'server'>) | undefined {
    const server = this.#table.serverOf(principalId, id, Date.now() - this.limits.maxAgeMs)
    if (server === undefined) return undefined
    // callers that read piece by piece need not wait for all of it each time; memory that is needed is given back
    let whole = this.#lastWhole?.id === id ? this.#lastWhole.whole.deref() : undefined
    if (!whole) {
      const { result } = this.find(principalId, id) ?? { result: {} }
      whole = wholeOf(result)
      this.#lastWhole = { id, whole: new WeakRef(whole) }
    }
    return { ...whole, server }
  }

  /** Removes old results. */
  async prune(now = Date.now()): Promise<number> {
    let removed = 0
    await this.#store.batch(() => {
      removed = this.#table.removeUpTo(now - this.limits.maxAgeMs)
    })
    if (removed > 0) this.#noteHolders()
    return removed
  }

  #dropOldest(principalId: string): void {
    const { maxPerPrincipal, maxBytesPerPrincipal, maxTotalBytes } = this.limits
    this.#table.remove([
      ...beyond(this.#table.sizes(principalId), maxPerPrincipal, maxBytesPerPrincipal),
      ...beyond(this.#table.sizes(), Number.POSITIVE_INFINITY, maxTotalBytes),
    ])
  }

  #noteHolders(): void {
    const now = this.#table.principals()
    const changed = [...now, ...this.#holders].filter((holder) => now.has(holder) !== this.#holders.has(holder))
    this.#holders.clear()
    for (const holder of now) this.#holders.add(holder)
    for (const principal of changed) for (const listener of this.#listeners) listener(principal)
  }
}

/** The rows, newest first, that are one too many or do not fit any more. */
function beyond(rows: readonly SpillSize[], most: number, maxBytes: number): readonly number[] {
  let bytes = 0
  return rows.flatMap((row, at) => {
    bytes += row.bytes
    return at >= most || bytes > maxBytes ? [row.number] : []
  })
}
