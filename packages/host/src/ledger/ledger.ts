import type { StatementSync } from 'node:sqlite'
import { canonicalJson } from '@trunkline/mcp'
import { Collected } from '../store/collected.ts'
import type { Store } from '../store/store.ts'
import { type ChainBreak, chainHash, chainStart, findBreak, type WrittenLine } from './chain.ts'
import { type LedgerKeys, ledgerKeys } from './keys.ts'
import type { ChainedLine, Line } from './line.ts'
import { type Payload, Payloads } from './payloads.ts'
import { lineBefore, TimeMarks } from './time-marks.ts'

/** Lines that are removed in one turn of the event loop. */
const linesAtOnce = 1_000
/** Checkpoints that are kept; the newest is where the chain begins, older ones are for exports. */
const maxCheckpoints = 1_000

/** Where the chain ends, or was cut. */
interface ChainEnd {
  readonly number: number
  readonly hash: string
}

/** A line that is to be written, and what is kept beside it. */
interface Entry {
  readonly line: Line
  readonly payload?: Payload | undefined
}

/** What reading the whole chain showed. */
export interface LedgerVerification {
  readonly lines: number
  /** Missing when every line follows from the one before. */
  readonly broken: ChainBreak | undefined
}

/** A record of what was done that cannot be changed unnoticed: each line holds the hash of the one before. */
export class Ledger {
  /** Arguments and results beside the lines. */
  readonly payloads: Payloads
  readonly #store: Store
  readonly #keys: LedgerKeys
  readonly #insert: StatementSync
  readonly #last: StatementSync
  readonly #marks: TimeMarks
  readonly #appended: Collected<Entry>
  /** Where the chain ends, once the last write was committed; what is written meanwhile reads it from the table. */
  #committed: ChainEnd | undefined
  #writes = 0
  // the highest line that was ever seen here: if the table ends before it, somebody cut it
  #highest: number
  readonly #listeners = new Set<(line: ChainedLine) => void>()

  constructor(store: Store, payloads = new Payloads(store)) {
    this.#store = store
    this.payloads = payloads
    const { database } = store
    this.#keys = ledgerKeys(database)
    this.#insert = database.prepare(
      `INSERT INTO ledger_line (number, at, text, previous, hash, act, principal, server, target, kind, outcome, act_kind)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#last = database.prepare('SELECT number, hash FROM ledger_line ORDER BY number DESC LIMIT 1')
    this.#marks = new TimeMarks(database)
    this.#highest = this.#end().number
    this.#appended = new Collected(store, {
      write: (entries) => this.#writeAll(entries),
      failed: () => payloads.count(),
      // on a full disk there may still be room for the lines; their payloads are not kept then
      lessThan: (entries) => entries.map(({ line }) => ({ line })),
    })
  }

  /** Writes a line and what belongs to it; resolves when all lines of this turn of the event loop are committed. */
  append(line: Line, payload?: Payload): Promise<void> {
    return this.#appended.add({ line, payload })
  }

  /** Writes what a person decided; resolves when the disk has it. */
  async decide(line: Line): Promise<void> {
    let written = (): void => {}
    await this.#store.durable(() => {
      written = this.appendWithin(line)
    })
    written()
  }

  /** Writes a line as a part of a write that is under way; what it returns is to be called once that is committed. */
  appendWithin(line: Line): () => void {
    return this.#writeAll([{ line }])
  }

  /** Calls back for every line once it is committed, until the returned function is called. */
  onLine(listener: (line: ChainedLine) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Recognises equal values without keeping them. */
  digest(value: unknown): string {
    return this.#keys.digest(canonicalJson(value))
  }

  /** Reads every line and checkpoint that is left and says whether they hold together. */
  verify(): LedgerVerification {
    const start = this.#cut()
    const badCheckpoint = this.#forgedCheckpoint()
    const { count } = this.#store.database.prepare('SELECT count(*) AS count FROM ledger_line').get() as {
      count: number
    }
    const broken = badCheckpoint ?? findBreak(this.lines(), start) ?? this.#missingEnd()
    return { lines: count, broken }
  }

  /** Every line that is left, oldest first, as it was written. */
  *lines(after = 0): Generator<WrittenLine> {
    const rows = this.#store.database
      .prepare('SELECT number, at, text, previous, hash FROM ledger_line WHERE number > ? ORDER BY number')
      .iterate(after)
    for (const row of rows) yield row as unknown as WrittenLine
  }

  /** The key that checkpoints are signed with, for whoever checks an export. */
  get publicKey(): string {
    return this.#keys.publicKey
  }

  /**
   * Forgets lines older than `before`, a part in each turn of the event loop. What is left starts at a signed checkpoint,
   * so it can still be verified, and so can every export made before.
   */
  async prune(before: number): Promise<number> {
    const { database } = this.#store
    // a clock that went back wrote old times after new ones; only what all is old goes
    const kept = database
      .prepare('SELECT number FROM ledger_line WHERE number > ? AND at >= ? ORDER BY number LIMIT 1')
      .get(lineBefore(database, before), before)
    const last = kept ? Number(kept.number) - 1 : this.#end().number
    let removed = 0
    for (let part = linesAtOnce; part === linesAtOnce; removed += part) part = await this.#cutAt(last)
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
      const signature = this.#keys.sign(checkpointText(number, hash, at))
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

  // a turn that could not be committed takes its lines back, so only what was committed is known without reading it
  #writeAll(entries: readonly Entry[]): () => void {
    let end = this.#committed ?? this.#end()
    this.#committed = undefined
    this.#writes += 1
    const write = this.#writes
    const at = Date.now()
    const written: ChainedLine[] = []
    for (const { line, payload } of entries) {
      const one = this.#write(line, at, end)
      if (payload !== undefined)
        this.payloads.keepWithin({ number: one.number, at, server: line.server ?? '' }, payload)
      written.push(one)
      end = one
    }
    return () => {
      if (write === this.#writes) this.#committed = { number: end.number, hash: end.hash }
      this.#highest = Math.max(this.#highest, end.number)
      for (const listener of this.#listeners) for (const line of written) listener(line)
    }
  }

  #write(line: Line, at: number, { number: last, hash: previous }: ChainEnd): ChainedLine {
    const number = last + 1
    const text = JSON.stringify(line)
    const hash = chainHash(number, at, text, previous)
    const { act = null, principal = null, server = null, target = null, kind, outcome = null, actKind = null } = line
    this.#insert.run(number, at, text, previous, hash, act, principal, server, target, kind, outcome, actKind)
    this.#marks.note(number, at)
    return { number, at, line, previous, hash }
  }

  #end(): ChainEnd {
    const row = this.#last.get()
    return row ? { number: Number(row.number), hash: String(row.hash) } : this.#cut()
  }

  #cut(): ChainEnd {
    const row = this.#store.database
      .prepare('SELECT number, hash FROM ledger_checkpoint ORDER BY number DESC LIMIT 1')
      .get()
    return row ? { number: Number(row.number), hash: String(row.hash) } : { number: 0, hash: chainStart }
  }

  // lines taken from the end leave a chain that holds, so the end is held against what was written here
  #missingEnd(): ChainBreak | undefined {
    const { number } = this.#end()
    if (number >= this.#highest) return undefined
    return { number: number + 1, why: `line ${number + 1} and all after it are missing` }
  }

  #forgedCheckpoint(): ChainBreak | undefined {
    const rows = this.#store.database.prepare('SELECT number, hash, at, signature FROM ledger_checkpoint').all()
    const forged = rows.find(
      ({ number, hash, at, signature }) =>
        !this.#keys.verify(checkpointText(Number(number), String(hash), Number(at)), String(signature)),
    )
    return forged && { number: Number(forged.number), why: `the checkpoint at line ${forged.number} is forged` }
  }
}

function checkpointText(number: number, hash: string, at: number): string {
  return `${number} ${hash} ${at}`
}
