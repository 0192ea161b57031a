import { setImmediate } from 'node:timers/promises'
import { StoreError } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { LedgerSearchTable, type LineToIndex } from '../store/tables/ledger-search-table.ts'
import type { Ledger } from './ledger.ts'
import type { Line } from './line.ts'
import { wordsOfLine, wordsOfPayload } from './search-words.ts'

export interface LedgerIndexOptions {
  /** Milliseconds from a line until it is indexed, and between two batches while calls go on. @default 250 */
  readonly everyMs?: number
  /** Lines could not be indexed; they are tried again with the next ones. */
  onError?(error: unknown): void
}

const defaults = { everyMs: 250 } as const satisfies LedgerIndexOptions

/** Lines and characters in one turn of the event loop, so that no call waits long. */
const maxLines = 25
const maxChars = 32 * 1_024
/** Characters of each payload that are indexed; the rest is not found by a search. */
const maxPayloadChars = 32 * 1_024
/** Payloads of an act that are indexed with one of its lines. */
const maxPayloads = 8
/** Pages of the index that are rewritten in one turn, to drop the words of deleted payloads. */
const pagesAtOnce = 16
/** Batches that a search waits for at most. */
const batchesBeforeSearch = 160
/** Milliseconds between two batches while no call is recorded. */
const quietMs = 10
/** Share of the time that batches may take while calls go on. */
const busyShare = 0.02

/** Indexes the ledger for searches: after calls are answered, in small batches. */
export class LedgerIndex {
  readonly #store: Store
  readonly #table: LedgerSearchTable
  readonly #options: LedgerIndexOptions
  readonly #unsubscribe: () => void
  #timer: NodeJS.Timeout | undefined
  #running: Promise<unknown> = Promise.resolve()
  #isClosed = false
  /** True if lines were written since the last batch. */
  #isBusy = false

  constructor(store: Store, ledger: Pick<Ledger, 'onLine'>, options: LedgerIndexOptions = {}) {
    this.#store = store
    this.#table = new LedgerSearchTable(store)
    this.#options = options
    this.#unsubscribe = ledger.onLine(() => this.#noteLine())
    this.#schedule()
  }

  /** False where the SQLite of this Node cannot search words. */
  get canSearch(): boolean {
    return this.#table.canSearch
  }

  /** Indexes what is missing, within limits; false if some is still missing. */
  async catchUp(): Promise<boolean> {
    for (let batch = 0; batch < batchesBeforeSearch; batch++) {
      if (!this.#hasWork()) return true
      await this.#batch()
      await setImmediate()
    }
    return !this.#hasWork()
  }

  /** Indexes all, and removes from the file what is left of deleted words. */
  async settle(): Promise<void> {
    while (!this.#isClosed && (this.#hasWork() || this.#table.hasRemains())) {
      await this.#batch()
      await setImmediate()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#unsubscribe()
    clearTimeout(this.#timer)
    await this.#running.catch(() => {})
  }

  /** Looks for work soon: after payloads were deleted. */
  wake(): void {
    this.#schedule()
  }

  #noteLine(): void {
    this.#isBusy = true
    this.#schedule()
  }

  #schedule(afterMs = this.#options.everyMs ?? defaults.everyMs): void {
    if (this.#isClosed) return
    this.#timer ??= setTimeout(() => void this.#look(), afterMs).unref()
  }

  async #look(): Promise<void> {
    const start = performance.now()
    const isBusy = this.#isBusy
    this.#isBusy = false
    try {
      await this.#batch()
    } catch (error) {
      if (!(error instanceof StoreError && error.code === 'Closed')) this.#options.onError?.(error)
      // tried again with the next line
      this.#timer = undefined
      return
    }
    this.#timer = undefined
    const { everyMs = defaults.everyMs } = this.#options
    const pauseMs = isBusy ? Math.max(everyMs, (performance.now() - start) / busyShare) : Math.min(everyMs, quietMs)
    if (!this.#isClosed && (this.#hasWork() || this.#table.hasRemains())) this.#schedule(pauseMs)
  }

  #hasWork(): boolean {
    return this.canSearch && (this.#table.due(1).length > 0 || this.#table.unindexed(1).length > 0)
  }

  async #batch(): Promise<void> {
    if (this.#isClosed) return
    this.#running = this.#store.batch(() => this.#indexSome())
    await this.#running
  }

  #indexSome(): void {
    if (!this.canSearch) return
    let chars = 0
    let lines = 0
    const index = (line: LineToIndex, add: (number: number, words: string) => void) => {
      const words = this.#wordsOf(line)
      add(line.number, words)
      chars += words.length
      lines += 1
    }
    for (const line of this.#table.due(maxLines)) {
      if (chars < maxChars) index(line, (...given) => this.#table.addAgain(...given))
    }
    for (const line of this.#table.unindexed(maxLines - lines)) {
      if (chars < maxChars) index(line, (...given) => this.#table.add(...given))
    }
    if (lines === 0 && this.#table.hasRemains()) this.#table.dropRemains(pagesAtOnce)
  }

  /** A line is found by what it says, and by all arguments and results of its act up to it. */
  #wordsOf({ number, text, act }: LineToIndex): string {
    const line = JSON.parse(text) as Line
    const own = wordsOfLine(line)
    if (act === undefined || line.kind === 'decided') return own
    const payloads = this.#table.payloadsOf(act, number, { chars: maxPayloadChars, most: maxPayloads })
    return [own, ...payloads.map(wordsOfPayload)].join(' ')
  }
}
