import type { StatementSync } from 'node:sqlite'
import type { Store } from '../store/store.ts'
import { redact } from '../text/redact.ts'
import { shapeOf } from './shape.ts'

/** How much of arguments and results is kept beside the ledger. */
export type RecordLevel = 'full' | 'shape' | 'off'

/** What was sent or came back in an act. */
export interface Payload {
  readonly act: string
  readonly server: string
  readonly part: 'arguments' | 'result'
  readonly value: unknown
}

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

/** Bytes that a row takes beside its text. */
const rowBytes = 200

/** Arguments and results beside the ledger, without secrets; deleting them does not break the chain. */
export class Payloads {
  readonly #store: Store
  readonly #limits: Required<PayloadLimits>
  readonly #insert: StatementSync
  #totalBytes: number

  constructor(store: Store, limits: PayloadLimits = {}) {
    this.#store = store
    this.#limits = { ...defaults, ...limits }
    this.#insert = store.database.prepare(
      'INSERT OR REPLACE INTO ledger_payload (act, part, at, server, text, bytes) VALUES (?, ?, ?, ?, ?, ?)',
    )
    const row = store.database.prepare('SELECT coalesce(sum(bytes), 0) AS bytes FROM ledger_payload').get()
    this.#totalBytes = Number(row?.bytes)
  }

  /** How much is kept, in bytes. */
  get totalBytes(): number {
    return this.#totalBytes
  }

  /** Keeps a payload as far as its server's level permits. */
  async keep({ act, server, part, value }: Payload, level: RecordLevel): Promise<void> {
    if (level === 'off') return
    const text = this.#textOf(value, level)
    const bytes = Buffer.byteLength(text) + rowBytes
    await this.#store.batch(() => {
      this.#insert.run(act, part, Date.now(), server, text, bytes)
      this.#totalBytes += bytes
      if (this.#totalBytes > this.#limits.maxTotalBytes) this.#dropOldest()
    })
  }

  /** What was kept of an act, by part. */
  of(act: string): { readonly [part: string]: unknown } {
    const rows = this.#store.database.prepare('SELECT part, text FROM ledger_payload WHERE act = ?').all(act)
    return Object.fromEntries(rows.map(({ part, text }) => [String(part), JSON.parse(String(text))]))
  }

  /** Forgets what is too old, or everything of a server. */
  async forget(which: { readonly server?: string } = {}): Promise<number> {
    let removed = 0
    await this.#store.durable(() => {
      const { database } = this.#store
      const result =
        which.server === undefined
          ? database.prepare('DELETE FROM ledger_payload WHERE at < ?').run(Date.now() - this.#limits.maxAgeMs)
          : database.prepare('DELETE FROM ledger_payload WHERE server = ?').run(which.server)
      removed = Number(result.changes)
      this.#count()
    })
    return removed
  }

  #textOf(value: unknown, level: 'full' | 'shape'): string {
    const text = level === 'full' ? JSON.stringify(redact(value)) : undefined
    if (text !== undefined && Buffer.byteLength(text) <= this.#limits.maxPayloadBytes) return text
    return JSON.stringify(shapeOf(value))
  }

  // a tenth more than needed goes, so that not every write has to drop something
  #dropOldest(): void {
    const { database } = this.#store
    let excess = this.#totalBytes - this.#limits.maxTotalBytes * 0.9
    const rows = database.prepare('SELECT rowid AS row, bytes FROM ledger_payload ORDER BY at, rowid').iterate()
    const gone: number[] = []
    for (const { row, bytes } of rows) {
      if (excess <= 0) break
      gone.push(Number(row))
      excess -= Number(bytes)
    }
    const remove = database.prepare('DELETE FROM ledger_payload WHERE rowid = ?')
    for (const row of gone) remove.run(row)
    this.#count()
  }

  #count(): void {
    const row = this.#store.database.prepare('SELECT coalesce(sum(bytes), 0) AS bytes FROM ledger_payload').get()
    this.#totalBytes = Number(row?.bytes)
  }
}
