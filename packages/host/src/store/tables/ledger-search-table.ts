import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Store } from '../store.ts'
import { hasFullText } from './prepare-search.ts'

/** A line of the ledger whose words are to be indexed. */
export interface LineToIndex {
  readonly number: number
  /** The line as JSON. */
  readonly text: string
  readonly act: string | undefined
}

/** Numbers between which lines are looked for. */
export interface SearchedLines {
  readonly after?: number | undefined
  readonly before?: number | undefined
}

/**
 * Index of the words of ledger lines, with the words of the payloads of their acts. It holds no text; triggers of the
 * tables remove from it what is removed there.
 */
export class LedgerSearchTable {
  readonly #database: DatabaseSync
  readonly #insert: StatementSync | undefined
  readonly #payloads: StatementSync

  constructor({ database }: Store) {
    this.#database = database
    if (hasFullText(database)) this.#insert = database.prepare('INSERT INTO ledger_search (rowid, words) VALUES (?, ?)')
    this.#payloads = database.prepare(
      `SELECT substr(ledger_payload.text, 1, ?) AS text FROM ledger_line JOIN ledger_payload ON line = number
       WHERE act = ? AND number <= ? ORDER BY number LIMIT ?`,
    )
  }

  /** False where this SQLite cannot search words: there is nothing to index then. */
  get canSearch(): boolean {
    return this.#insert !== undefined
  }

  /** The last line that was indexed. */
  upTo(): number {
    return Number(this.#database.prepare('SELECT up_to FROM ledger_search_state').get()?.up_to ?? 0)
  }

  /** Lines that are not indexed yet, oldest first. */
  unindexed(most: number): readonly LineToIndex[] {
    const rows = this.#database.prepare('SELECT number, text, act FROM ledger_line WHERE number > ? LIMIT ?')
    return rows.all(this.upTo(), most).map(lineToIndex)
  }

  /** Lines to index once more, because a payload of their act was deleted. */
  due(most: number): readonly LineToIndex[] {
    const rows = this.#database.prepare(
      'SELECT number, text, act FROM ledger_search_due JOIN ledger_line USING (number) ORDER BY number LIMIT ?',
    )
    return rows.all(most).map(lineToIndex)
  }

  /** Beginnings of the payloads of an act, up to those of a line. */
  payloadsOf(act: string, upTo: number, { chars, most }: { readonly chars: number; readonly most: number }) {
    return this.#payloads.all(chars, act, upTo, most).map(({ text }) => String(text))
  }

  /** Indexes a new line. */
  add(number: number, words: string): void {
    this.#insert?.run(number, words)
    this.#database.prepare('UPDATE ledger_search_state SET up_to = ?').run(number)
  }

  /** Indexes a line once more. */
  addAgain(number: number, words: string): void {
    this.#insert?.run(number, words)
    this.#database.prepare('DELETE FROM ledger_search_due WHERE number = ?').run(number)
  }

  /** True if words that were removed may still stand in the file, where no search finds them. */
  hasRemains(): boolean {
    if (!this.canSearch) return false
    return this.#database.prepare('SELECT 1 FROM ledger_search_state WHERE has_remains > 0').get() !== undefined
  }

  /** Rewrites some pages of the index without removed words; the last call forgets that there were any. */
  dropRemains(pages: number): void {
    const { has_remains: state } = this.#database.prepare('SELECT has_remains FROM ledger_search_state').get() ?? {}
    const before = this.#changes()
    // the first step marks all of the index to be merged, the next ones go on with it
    const merge = this.#database.prepare("INSERT INTO ledger_search (ledger_search, rank) VALUES ('merge', ?)")
    merge.run(state === 1 ? -pages : pages)
    const isDone = this.#changes() - before < 2
    this.#database.prepare('UPDATE ledger_search_state SET has_remains = ?').run(isDone ? 0 : 2)
  }

  /** Numbers of the lines that match an expression of FTS5, newest first. */
  match(expression: string, { after = 0, before = Number.MAX_SAFE_INTEGER }: SearchedLines, most: number) {
    const rows = this.#database.prepare(
      `SELECT rowid AS number FROM ledger_search
       WHERE ledger_search MATCH ? AND rowid > ? AND rowid < ? ORDER BY rowid DESC LIMIT ?`,
    )
    return rows.all(expression, after, before, most).map(({ number }) => Number(number))
  }

  #changes(): number {
    return Number(this.#database.prepare('SELECT total_changes() AS count').get()?.count)
  }
}

function lineToIndex({ number, text, act }: { readonly [column: string]: unknown }): LineToIndex {
  return { number: Number(number), text: String(text), act: typeof act === 'string' ? act : undefined }
}
