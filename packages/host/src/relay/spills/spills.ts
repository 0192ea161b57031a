import { randomBytes } from 'node:crypto'
import type { Fields } from '@trunkline/mcp'
import type { ServerKey } from '../../act/server-key.ts'
import type { Store } from '../../store/store.ts'
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
  readonly #listeners = new Set<(principalId: string) => void>()
  // asked with every list of tools, so it is not looked up each time
  readonly #holders: Set<string>
  #lastWhole: { readonly id: string; readonly whole: WeakRef<WholeResult> } | undefined

  constructor(store: Store, limits: SpillLimits = {}) {
    this.#store = store
    this.limits = { ...defaults, ...limits }
    const rows = store.database.prepare('SELECT DISTINCT principal FROM spill').all()
    this.#holders = new Set(rows.map(({ principal }) => String(principal)))
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
    const kept = { ...spill, id: randomBytes(9).toString('base64url'), at: Date.now(), bytes }
    await this.#store.batch(() => {
      this.#store.database
        .prepare('INSERT INTO spill (id, principal, server, target, at, bytes, result) VALUES (?, ?, ?, ?, ?, ?, ?)')
        .run(kept.id, principalId, kept.server, kept.target, kept.at, bytes, text)
      this.#dropOldest(principalId)
    })
    this.#noteHolders()
    return kept
  }

  /** A result of this principal; another principal's is as unknown as one that never was. */
  find(principalId: string, id: string): Spill | undefined {
    const row = this.#store.database
      .prepare('SELECT * FROM spill WHERE id = ? AND principal = ? AND at > ?')
      .get(id, principalId, Date.now() - this.limits.maxAgeMs)
    if (!row) return undefined
    const { server, target, at, bytes, result } = row
    return {
      id,
      server: String(server),
      target: String(target),
      at: Number(at),
      bytes: Number(bytes),
      result: JSON.parse(String(result)) as Fields,
    }
  }

  /** A whole result of this principal as bytes, and its server. */
  whole(principalId: string, id: string): (WholeResult & Pick<Spill, 'server'>) | undefined {
    const row = this.#store.database
      .prepare('SELECT server FROM spill WHERE id = ? AND principal = ? AND at > ?')
      .get(id, principalId, Date.now() - this.limits.maxAgeMs)
    if (!row) return undefined
    // callers that read piece by piece need not wait for all of it each time; memory that is needed is given back
    let whole = this.#lastWhole?.id === id ? this.#lastWhole.whole.deref() : undefined
    if (!whole) {
      const { result } = this.find(principalId, id) ?? { result: {} }
      whole = wholeOf(result)
      this.#lastWhole = { id, whole: new WeakRef(whole) }
    }
    return { ...whole, server: String(row.server) }
  }

  /** Removes old results. */
  async prune(now = Date.now()): Promise<number> {
    let removed = 0
    await this.#store.batch(() => {
      const remove = this.#store.database.prepare('DELETE FROM spill WHERE at <= ?')
      removed = Number(remove.run(now - this.limits.maxAgeMs).changes)
    })
    if (removed > 0) this.#noteHolders()
    return removed
  }

  #dropOldest(principalId: string): void {
    const { maxPerPrincipal, maxBytesPerPrincipal, maxTotalBytes } = this.limits
    const { database } = this.#store
    const own = database.prepare('SELECT number, bytes FROM spill WHERE principal = ? ORDER BY number DESC')
    const all = database.prepare('SELECT number, bytes FROM spill ORDER BY number DESC')
    const gone = [
      ...beyond(own.all(principalId), maxPerPrincipal, maxBytesPerPrincipal),
      ...beyond(all.all(), Number.POSITIVE_INFINITY, maxTotalBytes),
    ]
    const remove = database.prepare('DELETE FROM spill WHERE number = ?')
    for (const number of gone) remove.run(number)
  }

  #noteHolders(): void {
    const rows = this.#store.database.prepare('SELECT DISTINCT principal FROM spill').all()
    const now = new Set(rows.map(({ principal }) => String(principal)))
    const changed = [...now, ...this.#holders].filter((holder) => now.has(holder) !== this.#holders.has(holder))
    this.#holders.clear()
    for (const holder of now) this.#holders.add(holder)
    for (const principal of changed) for (const listener of this.#listeners) listener(principal)
  }
}

/** The rows, newest first, that are one too many or do not fit any more. */
function beyond(rows: readonly Fields[], most: number, maxBytes: number): readonly number[] {
  let bytes = 0
  return rows.flatMap((row, at) => {
    bytes += Number(row.bytes)
    return at >= most || bytes > maxBytes ? [Number(row.number)] : []
  })
}
