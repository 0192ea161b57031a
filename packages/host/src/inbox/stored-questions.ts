import type { Store } from '../store/store.ts'
import { QuestionTable, type SettledFilter } from '../store/tables/question-table.ts'
import type { Answer, Question, Settlement } from './question.ts'

/** A question and its answer. */
export interface AnsweredQuestion {
  readonly question: Question
  readonly answer: Answer
}

/** A question that waits no more. */
export interface PastQuestion {
  readonly question: Question
  readonly settlement: Settlement
}

/** An answer that was given before, and the question it was given to. */
export interface GivenAnswer {
  readonly question: string
  readonly answer: Answer
  /** True if it was given at this machine, not through a caller. */
  readonly isLocal: boolean
}

/** Questions as they stand in the store. Callers write within a write of their own. */
export class StoredQuestions {
  readonly #table: QuestionTable

  constructor(store: Store) {
    this.#table = new QuestionTable(store)
  }

  insert(question: Question): void {
    const { id, key, principalId: principal, askedAt, expiresAt } = question
    this.#table.insert({ id, key, principal, question: JSON.stringify(question), askedAt, expiresAt })
  }

  settle(id: string, settlement: Settlement): void {
    this.#table.settle(id, JSON.stringify(settlement), settlement.at)
  }

  /** Questions without an answer, oldest first. */
  open(): readonly Question[] {
    return this.#table.open().map((text) => JSON.parse(text) as Question)
  }

  settlementOf(id: string): Settlement | undefined {
    const text = this.#table.settlementOf(id)
    return text === undefined ? undefined : (JSON.parse(text) as Settlement)
  }

  /** The newest questions of a kind that a person answered since a time. */
  answered(kind: Question['kind'], since: number, most: number): readonly AnsweredQuestion[] {
    return this.#table.answered(kind, since, most).map(({ question, settlement }) => ({
      question: JSON.parse(question) as Question,
      answer: (JSON.parse(settlement) as Extract<Settlement, { state: 'answered' }>).answer,
    }))
  }

  /** The newest settled questions that match. */
  settled(filter: SettledFilter, most: number): readonly PastQuestion[] {
    return this.#table.settled(filter, most).map(({ question, settlement }) => ({
      question: JSON.parse(question) as Question,
      settlement: JSON.parse(settlement) as Settlement,
    }))
  }

  /** True if a person refused exactly this before. */
  wasRefused(key: string): boolean {
    return this.#table.wasRefused(key)
  }

  /** Removes questions settled before a time, except refusals that must not be asked again; returns their number. */
  prune(before: number, most: number): number {
    return this.#table.prune(before, most)
  }

  /** True if there is an unused answer to exactly this. */
  hasAnswer(key: string, now: number, maxAgeMs: number): boolean {
    return this.#table.unused(key, now - maxAgeMs, now) !== undefined
  }

  /** An unused answer to exactly this, which is used from now on. */
  take(key: string, now: number, maxAgeMs: number): GivenAnswer | undefined {
    const found = this.#table.unused(key, now - maxAgeMs, now)
    if (!found) return undefined
    this.#table.use(found.id, now)
    const settlement = JSON.parse(found.settlement) as Settlement
    if (settlement.state !== 'answered') return undefined
    return { question: found.id, answer: settlement.answer, isLocal: settlement.isLocal }
  }
}
