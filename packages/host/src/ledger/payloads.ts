import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { ServerName } from '../act/server-name.ts'
import type { Store } from '../store/store.ts'
import { redact } from '../text/redact.ts'
import { shapeOf } from './shape.ts'

/** Amount of arguments and results kept beside the ledger. */
export type RecordLevel = 'full' | 'shape' | 'off'

/** Data sent and received by the time a line was written, and the amount of it to keep. */
export interface Payload {
  readonly level: RecordLevel
  readonly arguments?: unknown
  readonly result?: unknown
}

export interface PayloadLimits {
  /** Time that payloads are kept, in milliseconds. @default 14 days */
  readonly maxAgeMs?: number
  /** Total size kept, in bytes; the oldest goes first. @default 512 MiB */
  readonly maxTotalBytes?: number
  /** The largest payload that is kept whole; of a larger one, its shape. @default 1 MiB */
  readonly maxPayloadBytes?: number
}

const defaults = {
  maxAgeMs: 14 * 24 * 3_600_000,
  maxTotalBytes: 512 * 1024 ** 2,
  maxPayloadBytes: 1024 ** 2,
} as const satisfies PayloadLimits

/** The line that a payload belongs to. */
interface LineOfPayload {
  readonly number: number
  readonly at: number
  readonly server: ServerName
}

interface Row {
  readonly line: number
  readonly at: number
  readonly bytes: number
}

/** Bytes that a row takes beside its text. */
const rowBytes = 200
/** Rows removed in one turn of the event loop, so that nothing waits long meanwhile. */
const rowsAtOnce = 1_000
/** Rows after which the total is noted, so that a start need not add up all that is kept. */
const rowsUncounted = 1_000

/** Arguments and results beside the ledger, without secrets; deleting them does not break the chain. */
export class Payloads {
  readonly #store: Store
  #limits: Required<PayloadLimits>
  readonly #insert: StatementSync
  #totalBytes = 0
  #uncounted = 0

  constructor(store: Store, limits: PayloadLimits = {}) {
    this.#store = store
    this.#limits = { ...defaults, ...limits }
    this.#insert = store.database.prepare(
      'INSERT INTO ledger_payload (line, at, server, bytes, text) VALUES (?, ?, ?, ?, ?)',
    )
    this.count()
  }

  /** Total size kept, in bytes. */
  get totalBytes(): number {
    return this.#totalBytes
  }

  /** Sets other limits; payloads beyond them go with the next `prune`. */
  set limits(limits: PayloadLimits) {
    this.#limits = { ...this.#limits, ...limits }
  }

  /** Keeps a payload with its line, as a part of the write of that line. */
  keepWithin({ number, at, server }: LineOfPayload, payload: Payload): void {
    const text = this.#textOf(payload)
    if (text === undefined) return
    const bytes = Buffer.byteLength(text) + rowBytes
    this.#insert.run(number, at, server, bytes, text)
    this.#totalBytes += bytes
    this.#uncounted += 1
    if (this.#uncounted >= rowsUncounted) this.#noteTotal(number)
    // a tenth more than needed goes, so that not every turn has to drop something
    const { maxTotalBytes } = this.#limits
    while (this.#totalBytes > maxTotalBytes && this.#dropBeyond(maxTotalBytes * 0.9) > 0);
  }

  /** Counts the total anew: after a write that was taken back. */
  count(): void {
    const { database } = this.#store
    const noted = database.prepare('SELECT line, bytes FROM ledger_payload_total').get()
    const later = database.prepare('SELECT count(*) AS rows, total(bytes) AS bytes FROM ledger_payload WHERE line > ?')
    const since = later.get(Number(noted?.line ?? 0))
    this.#totalBytes = Number(noted?.bytes ?? 0) + Number(since?.bytes)
    this.#uncounted = Number(since?.rows)
  }

  /** Payloads of an act, by part. */
  of(act: string): { readonly [part: string]: unknown } {
    const rows = this.#store.database
      .prepare(
        `SELECT ledger_payload.text FROM ledger_line JOIN ledger_payload ON line = number
         WHERE act = ? ORDER BY number`,
      )
      .all(act)
    return Object.assign({}, ...rows.map(({ text }) => JSON.parse(String(text))))
  }

  /** Removes payloads that are too old, or too large altogether, a part in each turn of the event loop. */
  async prune(now = Date.now()): Promise<number> {
    const tooOld = now - this.#limits.maxAgeMs
    const byAge = await this.#inParts(() => this.#dropWhile(({ at }) => at < tooOld))
    return byAge + (await this.#inParts(() => this.#dropBeyond(this.#limits.maxTotalBytes)))
  }

  /** Removes all payloads of a server; without one, those beyond the limits. */
  async forget({ server }: { readonly server?: ServerName } = {}): Promise<number> {
    if (server === undefined) return this.prune()
    let removed = 0
    await this.#write('durable', () => {
      removed = this.#remove('server = ?', server)
    })
    return removed
  }

  /** Removes the payloads of lines up to this one, within the write that removes the lines. */
  forgetWithin(line: number): void {
    this.#remove('line <= ?', line)
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
      this.count()
      throw error
    }
  }

  #dropBeyond(maxBytes: number): number {
    let excess = this.#totalBytes - maxBytes
    return this.#dropWhile(({ bytes }) => {
      const isTooMuch = excess > 0
      excess -= bytes
      return isTooMuch
    })
  }

  /** Drops the oldest, as long as they should go, and not more than one turn can bear. */
  #dropWhile(goes: (row: Row) => boolean): number {
    const oldest = this.#store.database.prepare('SELECT line, at, bytes FROM ledger_payload ORDER BY line LIMIT ?')
    let last: number | undefined
    for (const row of oldest.iterate(rowsAtOnce) as Iterable<unknown>) {
      if (!goes(row as Row)) break
      last = (row as Row).line
    }
    return last === undefined ? 0 : this.#remove('line <= ?', last)
  }

  #remove(which: string, value: string | number): number {
    const { database } = this.#store
    const rows = database.prepare(`DELETE FROM ledger_payload WHERE ${which} RETURNING bytes`).all(value)
    for (const { bytes } of rows) this.#totalBytes -= Number(bytes)
    this.#noteTotal(newestLine(database))
    return rows.length
  }

  #noteTotal(line: number): void {
    this.#store.database.prepare('UPDATE ledger_payload_total SET line = ?, bytes = ?').run(line, this.#totalBytes)
    this.#uncounted = 0
  }

  /** The parts of a payload as JSON, each within its limit. */
  #textOf({ level, arguments: given, result }: Payload): string | undefined {
    if (level === 'off' || (given === undefined && result === undefined)) return undefined
    if (result === undefined) return `{"arguments":${this.#partOf(given, level)}}`
    if (given === undefined) return `{"result":${this.#partOf(result, level)}}`
    return `{"arguments":${this.#partOf(given, level)},"result":${this.#partOf(result, level)}}`
  }

  #partOf(value: unknown, level: 'full' | 'shape'): string {
    const text = level === 'full' ? JSON.stringify(redact(value)) : undefined
    if (text !== undefined && Buffer.byteLength(text) <= this.#limits.maxPayloadBytes) return text
    return JSON.stringify(shapeOf(value))
  }
}

function newestLine(database: DatabaseSync): number {
  return Number(database.prepare('SELECT max(line) AS line FROM ledger_payload').get()?.line ?? 0)
}
