import { dirname, join } from 'node:path'
import type { StatementSync } from 'node:sqlite'
import { canonicalJson } from '@trunkline/mcp'
import { Collected } from '../store/collected.ts'
import { StoreError } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { chainHash, type WrittenLine } from './chain.ts'
import { type ChainPlace, ChainTable } from './chain-table.ts'
import { type KeyedDigest, storeDigest } from './keyed-digest.ts'
import type { ChainedLine, Line } from './line.ts'
import { type Payload, Payloads } from './payloads.ts'
import type { SignedTip } from './signed-tip.ts'
import { checkpointText, Signing } from './signing.ts'
import { lineBefore, TimeMarks } from './time-marks.ts'
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
  readonly #chain: ChainTable
  readonly #signing: Signing
  readonly #digest: KeyedDigest
  readonly #insert: StatementSync
  readonly #marks: TimeMarks
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
    const { database } = store
    this.#digest = storeDigest(database)
    this.#chain = new ChainTable(database)
    const folder = dirname(store.path)
    this.#signing = new Signing(this.#chain, {
      key: join(folder, 'ledger-key.pem'),
      tip: join(folder, 'ledger-tip.json'),
    })
    this.#insert = database.prepare(
      `INSERT INTO ledger_line (number, at, text, previous, hash, act, principal, server, target, kind, outcome, act_kind)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#marks = new TimeMarks(database)
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
    const { database } = this.#store
    // a clock that went back wrote old times after new ones; only lines before which all is old go
    const kept = database
      .prepare('SELECT number FROM ledger_line WHERE number > ? AND at >= ? ORDER BY number LIMIT 1')
      .get(lineBefore(database, before), before)
    const last = kept ? Number(kept.number) - 1 : this.#chain.end().number
    let removed = 0
    for (let part = linesAtOnce; part === linesAtOnce; removed += part) part = await this.#cutAt(last)
    if (removed > 0) await this.sign()
    return removed
  }

  /** Removes the oldest lines up to this one, not more than one turn can bear; returns how many. */
  async #cutAt(last: number): Promise<number> {
    const { database } = this.#store
    const oldest = database
      .prepare('SELECT number, hash FROM ledger_line WHERE number <= ? ORDER BY number LIMIT ?')
      .all(last, linesAtOnce)
    const end = oldest.at(-1)
    if (!end) return 0
    const [number, hash, at] = [Number(end.number), String(end.hash), Date.now()]
    const written = this.#store.durable(() => {
      const signature = this.#signing.sign(checkpointText(number, hash, at))
      const insert = 'INSERT OR REPLACE INTO ledger_checkpoint (number, at, hash, signature) VALUES (?, ?, ?, ?)'
      database.prepare(insert).run(number, at, hash, signature)
      database.prepare('DELETE FROM ledger_line WHERE number <= ?').run(number)
      database.prepare('DELETE FROM ledger_time_mark WHERE number <= ?').run(number)
      this.payloads.forgetWithin(number)
      const kept = 'SELECT number FROM ledger_checkpoint ORDER BY number DESC LIMIT ?'
      database.prepare(`DELETE FROM ledger_checkpoint WHERE number NOT IN (${kept})`).run(maxCheckpoints)
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
    const { act = null, principal = null, server = null, target = null, kind, outcome = null, actKind = null } = line
    this.#insert.run(number, at, text, previous, hash, act, principal, server, target, kind, outcome, actKind)
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
