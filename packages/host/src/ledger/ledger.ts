import { dirname, join } from 'node:path'
import { canonicalJson } from '@trunkline/mcp'
import { Collected } from '../store/collected.ts'
import { StoreError } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { LedgerKeyTable } from '../store/tables/ledger-key-table.ts'
import { TimeMarkTable } from '../store/tables/time-mark-table.ts'
import { chainHash, type WrittenLine } from './chain.ts'
import { type KeyedDigest, keyedDigest } from './keyed-digest.ts'
import type { ChainedLine, Line } from './line.ts'
import { type Payload, Payloads } from './payloads.ts'
import type { SignedTip } from './signed-tip.ts'
import { checkpointText, Signing } from './signing.ts'
import { type ChainPlace, StoredChain } from './stored-chain.ts'
import { TimeMarks } from './time-marks.ts'
import { type LedgerVerification, verifyLedger } from './verify.ts'

/** Lines that are removed in one turn of the event loop. */
const linesAtOnce = 1_000
/** Checkpoints that are kept; the newest is where the chain begins, older ones are for exports. */
const maxCheckpoints = 1_000

/** A line to write, and its payload. */
interface Entry {
  readonly line: Line
  /** Time of the event, as in `Date.now()`. */
  readonly at: number
  readonly payload?: Payload | undefined
}

/** Options of the ledger's signatures. */
export interface LedgerSigningOptions {
  /** Milliseconds until lines are signed; decisions of a person are signed at once. @default 1_000 */
  readonly signMs?: number
  /** Lines could not be signed. */
  onError?(error: unknown): void
}

const defaults = { signMs: 1_000 } as const satisfies LedgerSigningOptions

/**
 * A record of acts: each line holds the hash of the one before, and the end of that chain is signed with a key
 * outside of the store.
 */
export class Ledger {
  /** Arguments and results beside the lines. */
  readonly payloads: Payloads
  readonly #store: Store
  readonly #options: LedgerSigningOptions
  readonly #chain: StoredChain
  readonly #signing: Signing
  readonly #digest: KeyedDigest
  readonly #marks: TimeMarks
  readonly #markTable: TimeMarkTable
  readonly #appended: Collected<Entry>
  /** End of the chain, once the last write was committed; writes under way read it from the table. */
  #committed: ChainPlace | undefined
  #writes = 0
  // the highest line that was ever seen here: a table that ends before it was cut
  #highest: number
  readonly #listeners = new Set<(line: ChainedLine) => void>()

  #signTimer: NodeJS.Timeout | undefined
  #signed: Promise<void> = Promise.resolve()

  constructor(store: Store, payloads = new Payloads(store), options: LedgerSigningOptions = {}) {
    this.#store = store
    this.#options = options
    this.payloads = payloads
    const keys = new LedgerKeyTable(store)
    this.#digest = keyedDigest(keys.secret('digest'))
    this.#chain = new StoredChain(store)
    const folder = dirname(store.path)
    this.#signing = new Signing(this.#chain, keys, {
      key: join(folder, 'ledger-key.pem'),
      tip: join(folder, 'ledger-tip.json'),
    })
    this.#markTable = new TimeMarkTable(store)
    this.#marks = new TimeMarks(this.#markTable, this.#chain.table)
    this.#highest = this.#chain.end().number
    this.#appended = new Collected(store, {
      write: (entries) => this.#writeAll(entries),
      failed: () => payloads.count(),
      // on a full disk there may still be room for the lines; their payloads are not kept then
      lessThan: (entries) => entries.map(({ line, at }) => ({ line, at })),
    })
  }

  /** Writes a line and its payload; resolves when all lines of this turn of the event loop are committed. */
  append(line: Line, payload?: Payload): Promise<void> {
    return this.#appended.add({ line, at: Date.now(), payload })
  }

  /** Writes a decision of a person; resolves when the disk has it. */
  async decide(line: Line): Promise<void> {
    let written = (): void => {}
    await this.#store.durable(() => {
      written = this.appendWithin(line)
    })
    written()
  }

  /** Writes a line within a write under way; the returned function is to be called once that is committed. */
  appendWithin(line: Line): () => void {
    const written = this.#writeAll([{ line, at: Date.now() }])
    return () => {
      written()
      void this.sign()
    }
  }

  /** Calls back for every line once it is committed, until the returned function is called. */
  onLine(listener: (line: ChainedLine) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Recognises equal values without keeping them. */
  digest(value: unknown): string {
    return this.#digest(canonicalJson(value))
  }

  /** True if the host before this one ended without closing, so that acts that only read may have left no line. */
  get wasKilled(): boolean {
    return this.#signing.wasKilled
  }

  /** Reads every line and checkpoint that is left, and verifies the chain and its signatures. */
  verify({ after }: { readonly after?: number | undefined } = {}): LedgerVerification {
    return verifyLedger({ chain: this.#chain, signing: this.#signing, highest: this.#highest, after })
  }

  /** Every line that is left, oldest first, as it was written. */
  lines(after = 0, upTo?: number): Generator<WrittenLine> {
    return this.#chain.lines(after, upTo)
  }

  /** The end of the ledger with a signature over it, for exports and anchors. */
  async signedTip(): Promise<SignedTip> {
    await this.sign()
    return this.#signing.tip
  }

  /** Signs all lines that are not signed yet, and notes beside the key how many there are. */
  sign({ isClosed = false } = {}): Promise<void> {
    clearTimeout(this.#signTimer)
    this.#signTimer = undefined
    this.#signed = this.#signed
      .then(() => this.#signNow(isClosed))
      .catch((error) => {
        if (!(error instanceof StoreError && error.code === 'Closed')) this.#options.onError?.(error)
      })
    return this.#signed
  }

  /** Signs the unsigned lines; the store can be closed then. */
  close(): Promise<void> {
    return this.sign({ isClosed: true })
  }

  /**
   * Removes lines older than `before`, a part in each turn of the event loop. The rest starts at a signed checkpoint,
   * so it can still be verified, and so can every export made before.
   */
  async prune(before: number): Promise<number> {
    // a clock that went back wrote old times after new ones; only lines before which all is old go
    const kept = this.#chain.table.firstSince(before, this.#markTable.lineBefore(before))
    const last = kept === undefined ? this.#chain.end().number : kept - 1
    let removed = 0
    for (let part = linesAtOnce; part === linesAtOnce; removed += part) part = await this.#cutAt(last)
    if (removed > 0) await this.sign()
    return removed
  }

  /** Removes the oldest lines up to this one, not more than one turn can bear; returns how many. */
  async #cutAt(last: number): Promise<number> {
    const { table, checkpoints } = this.#chain
    const oldest = table.oldest(last, linesAtOnce)
    const end = oldest.at(-1)
    if (!end) return 0
    const { number, hash } = end
    const at = Date.now()
    const written = this.#store.durable(() => {
      checkpoints.put({ number, at, hash, signature: this.#signing.sign(checkpointText(number, hash, at)) })
      // before the lines, by which the words of a payload are found in the index
      this.payloads.forgetWithin(number)
      table.removeUpTo(number)
      this.#markTable.removeUpTo(number)
      checkpoints.keepNewest(maxCheckpoints)
    })
    await written.catch((error: unknown) => {
      this.payloads.count()
      throw error
    })
    return oldest.length
  }

  // a turn that could not be committed takes its lines back, so only committed lines are known without reading
  #writeAll(entries: readonly Entry[]): () => void {
    let end: ChainPlace = this.#committed ?? this.#chain.end()
    this.#committed = undefined
    this.#writes += 1
    const write = this.#writes
    const written: ChainedLine[] = []
    for (const { line, at, payload } of entries) {
      const one = this.#write(line, at, end)
      if (payload !== undefined)
        this.payloads.keepWithin({ number: one.number, at, server: line.server ?? '' }, payload)
      written.push(one)
      end = one
    }
    return () => {
      if (write === this.#writes) this.#committed = { number: end.number, hash: end.hash }
      this.#highest = Math.max(this.#highest, end.number)
      this.#signTimer ??= setTimeout(() => void this.sign(), this.#options.signMs ?? defaults.signMs).unref()
      for (const listener of this.#listeners) for (const line of written) listener(line)
    }
  }

  #write(line: Line, at: number, { number: last, hash: previous }: ChainPlace): ChainedLine {
    const number = last + 1
    const text = JSON.stringify(line)
    const hash = chainHash(number, at, text, previous)
    this.#chain.table.insert({ number, at, text, previous, hash }, line)
    this.#marks.note(number, at)
    return { number, at, line, previous, hash }
  }

  // the tip is written after the disk has the lines, so that no end of the process or the machine looks like a cut
  async #signNow(isClosed: boolean): Promise<void> {
    // in the place of a deleted store there may be a new one, whose lines would seem to be missing
    if (!this.#store.isInPlace()) throw new Error('Cannot sign the ledger: its database was deleted or replaced')
    const { tip } = this.#signing
    let state = this.#chain.state()
    if (!isClosed && state.number === tip.number && state.first === tip.first) return
    await this.#store.durable(() => {
      state = this.#chain.state()
    })
    await this.#signing.advance(state, { isClosed })
  }
}
