import type { StatementSync } from 'node:sqlite'
import { Collected } from '../store/collected.ts'
import type { Store } from '../store/store.ts'
import { redact } from '../text/redact.ts'
import { shapeOf } from './shape.ts'

/** How much of arguments and results is kept beside the ledger. */
export type RecordLevel = 'full' | 'shape' | 'off'

/** What was sent and came back in an act; where both are known at once, they are kept in one row. */
export interface Payload {
  readonly act: string
  readonly server: string
  readonly arguments?: unknown
  readonly result?: unknown
}

/** The name of the part in a row that has arguments and result. */
const both = 'both'

export interface PayloadLimits {
  /** How long payloads are kept, in milliseconds. @default 14 days */
  readonly maxAgeMs?: number
  /** How much is kept altogether, in bytes; the oldest goes first. @default 512 MiB */
  readonly maxTotalBytes?: number
  /** The largest payload that is kept whole; of a larger one, its shape. @default 1 MiB */
  readonly maxPayloadBytes?: number
}

const defaults = {
  maxAgeMs: 14 * 24 * 3_600_000,
  maxTotalBytes: 512 * 1024 ** 2,
  maxPayloadBytes: 1024 ** 2,
} as const satisfies PayloadLimits

/** A payload that is to be kept, and how much of it. */
interface Kept {
  readonly payload: Payload
  readonly level: Exclude<RecordLevel, 'off'>
}

const nothingKept = Promise.resolve()

/** Bytes that a row takes beside its text. */
const rowBytes = 200
/** Rows that are removed in one turn of the event loop, so that nobody waits long meanwhile. */
const rowsAtOnce = 1_000

/** Arguments and results beside the ledger, without secrets; deleting them does not break the chain. */
export class Payloads {
  readonly #store: Store
  #limits: Required<PayloadLimits>
  readonly #insert: StatementSync
  readonly #kept: Collected<Kept>
  #totalBytes: number

  constructor(store: Store, limits: PayloadLimits = {}) {
    this.#store = store
    this.#limits = { ...defaults, ...limits }
    this.#insert = store.database.prepare(
      'INSERT OR REPLACE INTO ledger_payload (act, part, at, server, text, bytes) VALUES (?, ?, ?, ?, ?, ?)',
    )
    this.#kept = new Collected(store, {
      write: (kept) => this.#insertAll(kept),
      failed: () => this.#count(),
    })
    this.#totalBytes = totalOf(store)
  }

  /** How much is kept, in bytes. */
  get totalBytes(): number {
    return this.#totalBytes
  }

  /** Puts other limits in force; what is beyond them goes with the next `prune`. */
  set limits(limits: PayloadLimits) {
    this.#limits = { ...this.#limits, ...limits }
  }

  /** Keeps a payload as far as its server's level permits. */
  keep(payload: Payload, level: RecordLevel): Promise<void> {
    return level === 'off' ? nothingKept : this.#kept.add({ payload, level })
  }

  /** What was kept of an act, by part. */
  of(act: string): { readonly [part: string]: unknown } {
    const rows = this.#store.database.prepare('SELECT part, text FROM ledger_payload WHERE act = ?').all(act)
    const kept = rows.map(({ part, text }) => {
      const value: unknown = JSON.parse(String(text))
      return part === both ? (value as object) : { [String(part)]: value }
    })
    return Object.assign({}, ...kept)
  }

  /** Forgets what is too old or too much, a part in each turn of the event loop. */
  async prune(now = Date.now()): Promise<number> {
    const tooOld = now - this.#limits.maxAgeMs
    const byAge = await this.#inParts(() => this.#remove(`WHERE at < ? ORDER BY at LIMIT ${rowsAtOnce}`, [tooOld]))
    return byAge + (await this.#inParts(() => this.#dropOldest(this.#limits.maxTotalBytes)))
  }

  /** Forgets everything of a server, or what is too old. */
  async forget({ server }: { readonly server?: string } = {}): Promise<number> {
    if (server === undefined) return this.prune()
    let removed = 0
    await this.#write('durable', () => {
      removed = this.#remove('WHERE server = ?', [server])
    })
    return removed
  }

  #insertAll(kept: readonly Kept[]): () => void {
    const at = Date.now()
    for (const { payload, level } of kept) {
      const { part, text } = this.#rowOf(payload, level)
      const bytes = Buffer.byteLength(text) + rowBytes
      this.#insert.run(payload.act, part, at, payload.server, text, bytes)
      this.#totalBytes += bytes
    }
    // a tenth more than needed goes, so that not every turn has to drop something
    const { maxTotalBytes } = this.#limits
    while (this.#totalBytes > maxTotalBytes && this.#dropOldest(maxTotalBytes * 0.9) > 0);
    return () => {}
  }

  async #inParts(remove: () => number): Promise<number> {
    let removed = 0
    for (let part = rowsAtOnce; part === rowsAtOnce; removed += part) {
      await this.#write('batch', () => {
        part = remove()
      })
    }
    return removed
  }

  async #write(how: 'batch' | 'durable', write: () => void): Promise<void> {
    try {
      await this.#store[how](write)
    } catch (error) {
      this.#count()
      throw error
    }
  }

  /** The total is counted anew after a write that was taken back. */
  #count(): void {
    this.#totalBytes = totalOf(this.#store)
  }

  #rowOf(payload: Payload, level: Kept['level']): { readonly part: string; readonly text: string } {
    const { arguments: given, result } = payload
    if (result === undefined) return { part: 'arguments', text: this.#textOf(given, level) }
    if (given === undefined) return { part: 'result', text: this.#textOf(result, level) }
    return { part: both, text: `{"arguments":${this.#textOf(given, level)},"result":${this.#textOf(result, level)}}` }
  }

  #textOf(value: unknown, level: 'full' | 'shape'): string {
    const text = level === 'full' ? JSON.stringify(redact(value)) : undefined
    if (text !== undefined && Buffer.byteLength(text) <= this.#limits.maxPayloadBytes) return text
    return JSON.stringify(shapeOf(value))
  }

  #dropOldest(maxBytes: number): number {
    const oldest = this.#store.database.prepare('SELECT rowid AS row, bytes FROM ledger_payload ORDER BY at LIMIT ?')
    let excess = this.#totalBytes - maxBytes
    const gone = oldest.all(excess > 0 ? rowsAtOnce : 0).filter(({ bytes }) => {
      const isTooMuch = excess > 0
      excess -= Number(bytes)
      return isTooMuch
    })
    for (const { row } of gone) this.#remove('WHERE rowid = ?', [Number(row)])
    return gone.length
  }

  #remove(which: string, values: readonly (string | number)[]): number {
    const chosen = `SELECT rowid FROM ledger_payload ${which}`
    const remove = this.#store.database.prepare(`DELETE FROM ledger_payload WHERE rowid IN (${chosen}) RETURNING bytes`)
    const rows = remove.all(...values)
    for (const { bytes } of rows) this.#totalBytes -= Number(bytes)
    return rows.length
  }
}

function totalOf({ database }: Store): number {
  return Number(database.prepare('SELECT coalesce(sum(bytes), 0) AS bytes FROM ledger_payload').get()?.bytes)
}
