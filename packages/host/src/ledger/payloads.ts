import { redact } from '@trunkline/base/redact'
import type { ServerName } from '../act/server-name.ts'
import type { Store } from '../store/store.ts'
import { type PayloadSize, PayloadTable } from '../store/tables/payload-table.ts'
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
  readonly #table: PayloadTable
  #totalBytes = 0
  #uncounted = 0

  constructor(store: Store, limits: PayloadLimits = {}) {
    this.#store = store
    this.#limits = { ...defaults, ...limits }
    this.#table = new PayloadTable(store)
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
    this.#table.insert({ line: number, at, server, bytes, text })
    this.#totalBytes += bytes
    this.#uncounted += 1
    if (this.#uncounted >= rowsUncounted) this.#noteTotal(number)
    // a tenth more than needed goes, so that not every turn has to drop something
    const { maxTotalBytes } = this.#limits
    while (this.#totalBytes > maxTotalBytes && this.#dropBeyond(maxTotalBytes * 0.9) > 0);
  }

  /** Counts the total anew: after a write that was taken back. */
  count(): void {
    const noted = this.#table.notedTotal()
    const since = this.#table.sumsAfter(noted.line)
    this.#totalBytes = noted.bytes + since.bytes
    this.#uncounted = since.rows
  }

  /** Payloads of an act, by part. */
  of(act: string): { readonly [part: string]: unknown } {
    return Object.assign({}, ...this.#table.textsOf(act).map((text) => JSON.parse(text)))
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
      removed = this.#uncount(this.#table.removeServer(server))
    })
    return removed
  }

  /** Removes the payloads of lines up to this one, within the write that removes the lines. */
  forgetWithin(line: number): void {
    this.#uncount(this.#table.removeUpTo(line))
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
  #dropWhile(goes: (row: PayloadSize) => boolean): number {
    let last: number | undefined
    for (const row of this.#table.oldest(rowsAtOnce)) {
      if (!goes(row)) break
      last = row.line
    }
    return last === undefined ? 0 : this.#uncount(this.#table.removeUpTo(last))
  }

  /** Takes removed payloads out of the total; returns their number. */
  #uncount(removed: readonly number[]): number {
    for (const bytes of removed) this.#totalBytes -= bytes
    this.#noteTotal(this.#table.newestLine())
    return removed.length
  }

  #noteTotal(line: number): void {
    this.#table.noteTotal(line, this.#totalBytes)
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
