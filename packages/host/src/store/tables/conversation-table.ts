import type { DatabaseSync } from 'node:sqlite'
import type { Migrations } from '../migrations.ts'
import type { Store } from '../store.ts'

/** The tables of saved conversations. */
export const chatTables: Migrations = {
  room: 'chat',
  steps: [
    `CREATE TABLE chat_conversation (
       id TEXT PRIMARY KEY,
       title TEXT NOT NULL,
       model TEXT,
       made_at INTEGER NOT NULL,
       used_at INTEGER NOT NULL
     ) STRICT;
     CREATE TABLE chat_entry (
       conversation TEXT NOT NULL REFERENCES chat_conversation (id) ON DELETE CASCADE,
       number INTEGER NOT NULL,
       entry TEXT NOT NULL,
       PRIMARY KEY (conversation, number)
     ) STRICT`,
  ],
}

/** A conversation and the use of its entries. */
export interface ConversationRow {
  readonly id: string
  /** The beginning of its first message. */
  readonly title: string
  /** The model it was begun with; missing for the usual one. */
  readonly model: string | undefined
  readonly madeAt: number
  readonly usedAt: number
  readonly tokens: number
  readonly cost: number
}

/** The saved conversations and their entries, which are JSON. */
export class ConversationTable {
  readonly #database: DatabaseSync

  constructor({ database }: Store) {
    this.#database = database
  }

  insert(id: string, model: string | undefined, now: number): void {
    this.#database
      .prepare('INSERT INTO chat_conversation (id, title, model, made_at, used_at) VALUES (?, ?, ?, ?, ?)')
      .run(id, '', model ?? null, now, now)
  }

  /** Removes those beyond a number that were not used longest. */
  keepNewest(most: number): void {
    this.#database
      .prepare(
        `DELETE FROM chat_conversation WHERE id NOT IN
         (SELECT id FROM chat_conversation ORDER BY used_at DESC, rowid DESC LIMIT ?)`,
      )
      .run(most)
  }

  /** Every conversation, the one last used first. */
  all(): readonly ConversationRow[] {
    return this.#database.prepare(`${conversations} ORDER BY used_at DESC, c.rowid DESC`).all().map(conversationIn)
  }

  find(id: string): ConversationRow | undefined {
    const row = this.#database.prepare(`${conversations} WHERE c.id = ?`).get(id)
    return row && conversationIn(row)
  }

  has(id: string): boolean {
    return this.#database.prepare('SELECT 1 FROM chat_conversation WHERE id = ?').get(id) !== undefined
  }

  rename(id: string, title: string): void {
    this.#database.prepare('UPDATE chat_conversation SET title = ? WHERE id = ?').run(title, id)
  }

  /** Notes a use, and the title of a conversation without one. */
  use(id: string, now: number, title: string): void {
    this.#database
      .prepare(
        `UPDATE chat_conversation SET used_at = ?, title = CASE title WHEN '' THEN ? ELSE title END WHERE id = ?`,
      )
      .run(now, title, id)
  }

  remove(id: string): void {
    this.#database.prepare('DELETE FROM chat_conversation WHERE id = ?').run(id)
  }

  entries(id: string): readonly string[] {
    const rows = this.#database.prepare('SELECT entry FROM chat_entry WHERE conversation = ? ORDER BY number').all(id)
    return rows.map(({ entry }) => String(entry))
  }

  /** Adds an entry at the end; returns its number, counted from 1. */
  addEntry(id: string, entry: string): number {
    const added = this.#database
      .prepare(
        `INSERT INTO chat_entry (conversation, number, entry)
         SELECT $id, coalesce(max(number), 0) + 1, $entry FROM chat_entry WHERE conversation = $id RETURNING number`,
      )
      .get({ id, entry })
    return Number(added?.number)
  }

  /** Characters of the entries up to a number. */
  charsUpTo(id: string, number: number): number {
    const row = this.#database
      .prepare('SELECT coalesce(sum(length(entry)), 0) AS size FROM chat_entry WHERE conversation = ? AND number <= ?')
      .get(id, number)
    return Number(row?.size)
  }

  /** True if an entry is one of the person. */
  isOfPerson(id: string, number: number): boolean {
    const row = this.#database
      .prepare(
        `SELECT 1 FROM chat_entry WHERE conversation = ? AND number = ? AND json_extract(entry, '$.by') = 'person'`,
      )
      .get(id, number)
    return row !== undefined
  }

  removeEntriesAfter(id: string, number: number): void {
    this.#database.prepare('DELETE FROM chat_entry WHERE conversation = ? AND number > ?').run(id, number)
  }
}

const conversations = `SELECT c.*,
  (SELECT coalesce(sum(json_extract(entry, '$.tokens.input') + json_extract(entry, '$.tokens.output')), 0)
   FROM chat_entry WHERE conversation = c.id) AS tokens,
  (SELECT coalesce(sum(json_extract(entry, '$.cost')), 0) FROM chat_entry WHERE conversation = c.id) AS cost
  FROM chat_conversation c`

function conversationIn(row: { readonly [column: string]: unknown }): ConversationRow {
  return {
    id: String(row.id),
    title: String(row.title),
    model: row.model === null ? undefined : String(row.model),
    madeAt: Number(row.made_at),
    usedAt: Number(row.used_at),
    tokens: Number(row.tokens),
    cost: Number(row.cost),
  }
}
