import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Answer, Question, Settlement } from './question.ts'

/** A question and its answer. */
export interface AnsweredQuestion {
  readonly question: Question
  readonly answer: Answer
}

/** An answer that was given before, and the question it was given to. */
export interface GivenAnswer {
  readonly question: string
  readonly answer: Answer
  /** True if it was given at this machine, not through a caller. */
  readonly isLocal: boolean
}

/** Questions as they stand in the store. */
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

  constructor(database: DatabaseSync) {
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

  insert(question: Question): void {
    const { id, key, principalId, askedAt, expiresAt } = question
    this.#insert.run(id, key, principalId, JSON.stringify(question), askedAt, expiresAt)
  }

  settle(id: string, settlement: Settlement): void {
    this.#settle.run(JSON.stringify(settlement), settlement.at, id)
  }

  /** Questions without an answer, oldest first. */
  open(): readonly Question[] {
    return this.#open.all().map(({ question }) => JSON.parse(String(question)) as Question)
  }

  settlementOf(id: string): Settlement | undefined {
    const text = this.#settlement.get(id)?.settlement
    return typeof text === 'string' ? (JSON.parse(text) as Settlement) : undefined
  }

  /** The newest questions of a kind that a person answered since a time. */
  answered(kind: Question['kind'], since: number, most: number): readonly AnsweredQuestion[] {
    const rows = this.#database
      .prepare(
        `SELECT question, settlement FROM inbox_question
         WHERE settled_at >= ? AND settlement LIKE '{"state":"answered"%' AND json_extract(question, '$.kind') = ?
         ORDER BY settled_at DESC LIMIT ?`,
      )
      .all(since, kind, most)
    return rows.map(({ question, settlement }) => ({
      question: JSON.parse(String(question)) as Question,
      answer: (JSON.parse(String(settlement)) as Extract<Settlement, { state: 'answered' }>).answer,
    }))
  }

  /** True if a person refused exactly this before. */
  wasRefused(key: string): boolean {
    return this.#refused.get(key) !== undefined
  }

  /** Removes questions settled before a time, except refusals that must not be asked again; returns their number. */
  prune(before: number, most: number): number {
    return Number(this.#prune.run(before, most).changes)
  }

  /** True if there is an unused answer to exactly this. */
  hasAnswer(key: string, now: number, maxAgeMs: number): boolean {
    return this.#answered.get(key, now - maxAgeMs, now) !== undefined
  }

  /** An unused answer to exactly this, which is used from now on. */
  take(key: string, now: number, maxAgeMs: number): GivenAnswer | undefined {
    const row = this.#answered.get(key, now - maxAgeMs, now)
    if (!row) return undefined
    this.#use.run(now, String(row.id))
    const settlement = JSON.parse(String(row.settlement)) as Settlement
    if (settlement.state !== 'answered') return undefined
    return { question: String(row.id), answer: settlement.answer, isLocal: settlement.isLocal }
  }
}
