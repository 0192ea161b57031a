import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Store } from '../store.ts'

/** A question that is asked. */
export interface QuestionRow {
  readonly id: string
  /** Equal questions share this. */
  readonly key: string
  readonly principal: string
  /** The whole question as JSON. */
  readonly question: string
  readonly askedAt: number
  readonly expiresAt: number
}

/** A question and its settlement, both JSON. */
export interface StoredSettlement {
  readonly question: string
  readonly settlement: string
}

/** Filter of settled questions; a missing member matches all. */
export interface SettledFilter {
  readonly id?: string
  readonly act?: string
  readonly since?: number
  readonly until?: number
}

/** Questions and their settlements. */
export class QuestionTable {
  readonly #database: DatabaseSync
  readonly #insert: StatementSync
  readonly #settle: StatementSync
  readonly #open: StatementSync
  readonly #settlement: StatementSync
  readonly #answered: StatementSync
  readonly #use: StatementSync
  readonly #refused: StatementSync
  readonly #prune: StatementSync

  constructor({ database }: Store) {
    this.#database = database
    this.#insert = database.prepare(
      'INSERT INTO inbox_question (id, key, principal, question, asked_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
    )
    this.#settle = database.prepare(
      'UPDATE inbox_question SET settlement = ?, settled_at = ? WHERE id = ? AND settlement IS NULL',
    )
    this.#open = database.prepare('SELECT question FROM inbox_question WHERE settlement IS NULL ORDER BY asked_at, id')
    this.#settlement = database.prepare('SELECT settlement FROM inbox_question WHERE id = ?')
    this.#answered = database.prepare(
      `SELECT id, settlement FROM inbox_question
       WHERE key = ? AND used_at IS NULL AND settled_at BETWEEN ? AND ? AND settlement LIKE '{"state":"answered"%'
       ORDER BY settled_at DESC LIMIT 1`,
    )
    this.#refused = database.prepare(
      `SELECT 1 FROM inbox_question WHERE key = ? AND json_extract(settlement, '$.answer.choice') = 'refuse' LIMIT 1`,
    )
    this.#prune = database.prepare(
      `DELETE FROM inbox_question WHERE id IN (SELECT id FROM inbox_question WHERE settled_at < ?
       AND json_extract(question, '$.kind') IN ('call', 'result', 'form', 'page') LIMIT ?)`,
    )
    this.#use = database.prepare('UPDATE inbox_question SET used_at = ? WHERE id = ? AND used_at IS NULL')
  }

  insert({ id, key, principal, question, askedAt, expiresAt }: QuestionRow): void {
    this.#insert.run(id, key, principal, question, askedAt, expiresAt)
  }

  /** Settles a question that is open. */
  settle(id: string, settlement: string, at: number): void {
    this.#settle.run(settlement, at, id)
  }

  /** Questions without a settlement, oldest first. */
  open(): readonly string[] {
    return this.#open.all().map(({ question }) => String(question))
  }

  settlementOf(id: string): string | undefined {
    const text = this.#settlement.get(id)?.settlement
    return typeof text === 'string' ? text : undefined
  }

  /** The newest questions of a kind that were answered since a time. */
  answered(kind: string, since: number, most: number): readonly StoredSettlement[] {
    const rows = this.#database
      .prepare(
        `SELECT question, settlement FROM inbox_question
         WHERE settled_at >= ? AND settlement LIKE '{"state":"answered"%' AND json_extract(question, '$.kind') = ?
         ORDER BY settled_at DESC LIMIT ?`,
      )
      .all(since, kind, most)
    return rows.map(({ question, settlement }) => ({ question: String(question), settlement: String(settlement) }))
  }

  /** The newest settled questions: one of them, those about an act, or those of a range of time. */
  settled({ id, act, since, until }: SettledFilter, most: number): readonly StoredSettlement[] {
    const rows = this.#database
      .prepare(
        `SELECT question, settlement FROM inbox_question
         WHERE settled_at BETWEEN ? AND ? AND id = coalesce(?, id)
           AND (? IS NULL OR json_extract(question, '$.detail.act') = ?)
         ORDER BY settled_at DESC LIMIT ?`,
      )
      .all(since ?? 0, until ?? Number.MAX_SAFE_INTEGER, id ?? null, act ?? null, act ?? null, most)
    return rows.map(({ question, settlement }) => ({ question: String(question), settlement: String(settlement) }))
  }

  /** True if a question of this key was refused. */
  wasRefused(key: string): boolean {
    return this.#refused.get(key) !== undefined
  }

  /** The newest unused answer to a question of this key that was given between two times. */
  unused(key: string, from: number, to: number): { readonly id: string; readonly settlement: string } | undefined {
    const row = this.#answered.get(key, from, to)
    return row && { id: String(row.id), settlement: String(row.settlement) }
  }

  /** Marks an answer as used. */
  use(id: string, at: number): void {
    this.#use.run(at, id)
  }

  /** Removes some questions settled before a time, except refusals that must not be asked again; returns their number. */
  prune(before: number, most: number): number {
    return Number(this.#prune.run(before, most).changes)
  }
}
