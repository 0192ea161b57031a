import { randomId } from '@trunkline/base/random-id'
import type { Store } from '../store/store.ts'
import type { SettledFilter } from '../store/tables/question-table.ts'
import { type AnswerReach, whyTooBroad } from './answer-reach.ts'
import { Doors } from './doors.ts'
import type { Answer, Door, Question, Settlement } from './question.ts'
import { type AnsweredQuestion, type GivenAnswer, type PastQuestion, StoredQuestions } from './stored-questions.ts'

/** A question before it is asked. */
export type NewQuestion = Omit<Question, 'id' | 'askedAt' | 'expiresAt'> & {
  /** Time in which it can be answered. @default 15 minutes */
  readonly openMs?: number
}

export interface InboxLimits {
  /** Questions that wait at the same time, altogether. @default 1_000 */
  readonly maxOpen?: number
  /** Questions of one principal that wait at the same time. @default 50 */
  readonly maxOpenPerPrincipal?: number
  /** Time that an approval waits for its call, in milliseconds. @default 15 minutes */
  readonly approvalMs?: number
  /** Time in which a question can be answered unless it has its own, in milliseconds. @default 15 minutes */
  readonly questionMs?: number
}

/** Questions that are forgotten in one turn of the event loop. */
const questionsAtOnce = 1_000
const quarterHourMs = 15 * 60_000

const defaults = {
  maxOpen: 1_000,
  maxOpenPerPrincipal: 50,
  approvalMs: quarterHourMs,
  questionMs: quarterHourMs,
} as const satisfies InboxLimits

export interface InboxOptions {
  /**
   * Records the end of a question within the write under way; the returned function is called once that is
   * committed. @default nothing is recorded
   */
  record?(question: Question, settlement: Settlement): (() => void) | undefined
  /** True if an answer counts only with a proof that the person gave it. @default none does */
  needsProof?(question: Question, answer: AnswerReach): boolean
}

/** The door that an answer comes through. */
export interface AnsweringDoor extends Pick<Door, 'isLocal'> {
  /** True if it was proven that the person gives it. @default false */
  readonly isProven?: boolean
}

/** A question on its way to an answer. */
export interface Asked {
  readonly question: Question
  readonly settled: Promise<Settlement>
}

/** Reason why a question was not asked, or not answered. */
export class InboxError extends Error {
  override readonly name = 'InboxError'
  readonly code: 'Full' | 'Unknown' | 'Settled' | 'NotAllowed'

  constructor(code: InboxError['code'], message: string) {
    super(message)
    this.code = code
  }
}

interface Waiting {
  readonly question: Question
  readonly settled: Promise<Settlement>
  settle(settlement: Settlement): void
}

/** Everything that waits for a person. Durable: questions and answers survive the process. */
export class Inbox {
  readonly #store: Store
  readonly #questions: StoredQuestions
  readonly #limits: Required<InboxLimits>
  readonly #options: InboxOptions
  readonly #doors = new Doors()
  // open questions, by id and by key
  readonly #open = new Map<string, Waiting>()
  readonly #byKey = new Map<string, Waiting>()
  /** Questions about calls whose callers do not wait any more. */
  readonly #abandoned = new Set<string>()
  readonly #effects = new Map<Question['kind'], (question: Question) => Promise<void>>()
  #timer: NodeJS.Timeout | undefined

  constructor(store: Store, limits: InboxLimits = {}, options: InboxOptions = {}) {
    this.#store = store
    this.#options = options
    this.#questions = new StoredQuestions(store)
    this.#limits = { ...defaults, ...limits }
    for (const question of this.#questions.open()) this.#remember(question)
    // the calls of an earlier process ended with it
    for (const { id, kind } of this.open) if (kind === 'call') this.#abandoned.add(id)
    this.#schedule()
  }

  /** Every question that waits, oldest first. */
  get open(): readonly Question[] {
    return [...this.#open.values()].map(({ question }) => question)
  }

  /** True if a question is about a call whose caller does not wait any more; its answer is for the next such call. */
  isAbandoned(id: string): boolean {
    return this.#abandoned.has(id)
  }

  /** Notes that a caller waits for the answer to a question, or that the last one is gone. */
  noteCaller(id: string, state: 'waits' | 'gone'): void {
    const question = this.#open.get(id)?.question
    if (!question || this.#abandoned.has(id) === (state === 'gone')) return
    if (state === 'gone') this.#abandoned.add(id)
    else this.#abandoned.delete(id)
    this.#doors.change(question)
  }

  /** Time that an approval waits for its call, in milliseconds. */
  get approvalMs(): number {
    return this.#limits.approvalMs
  }

  /** Lets questions reach a person in one more way, until the returned function is called. */
  addDoor(door: Door): () => void {
    for (const question of this.open) door.present(question)
    return this.#doors.add(door)
  }

  /** Asks, unless the same is being asked already: then this waits for that answer. Resolves once the question is stored. */
  async ask({ openMs = this.#limits.questionMs, ...question }: NewQuestion): Promise<Asked> {
    const same = this.#byKey.get(question.key)
    if (same) return same
    this.#refuseTooMany(question.principalId, question.principal)
    const askedAt = Date.now()
    const id = randomId(12)
    const asked = this.#remember({ ...question, id, askedAt, expiresAt: askedAt + openMs })
    try {
      await this.#store.batch(() => this.#questions.insert(asked.question))
    } catch (error) {
      this.#forget(asked.question)
      throw error
    }
    this.#schedule()
    this.#doors.present(asked.question)
    return asked
  }

  /** Does something with every answer to a kind of question, also to one that was asked before the host was restarted. */
  whenAnswered(kind: Question['kind'], effect: (question: Question) => Promise<void>): void {
    this.#effects.set(kind, effect)
  }

  /**
   * Answers a question; the first answer wins, and it is on the disk before anything acts on it. Its effects are complete when
   * this resolves, and before listeners hear that the question was answered.
   */
  async answer(id: string, answer: Answer, door: AnsweringDoor): Promise<Question> {
    const waiting = this.#open.get(id) ?? this.#refuseSettled(id)
    const { question } = waiting
    if (question.by === 'local' && !door.isLocal) {
      throw new InboxError('NotAllowed', `Cannot answer question ${id} here: a rule wants it answered at this machine`)
    }
    const tooBroad = whyTooBroad(question, answer, door)
    if (tooBroad !== undefined)
      throw new InboxError('NotAllowed', `Cannot answer question ${id} like this: ${tooBroad}`)
    if (!door.isProven && this.needsProof(question, answer)) {
      throw new InboxError('NotAllowed', `Cannot answer question ${id} here: it needs the proof of the person`)
    }
    const settlement: Settlement = { state: 'answered', answer, at: Date.now(), isLocal: door.isLocal }
    await this.#settle('durable', waiting, settlement)
    try {
      await this.#effects.get(question.kind)?.(question)
    } finally {
      this.#doors.withdraw(id, answer.by)
    }
    return question
  }

  /** True if an answer to a question counts only with a proof that the person gave it. */
  needsProof(question: Question, answer: AnswerReach): boolean {
    return this.#options.needsProof?.(question, answer) ?? false
  }

  /** Withdraws a question whose answer is no longer needed. */
  async withdraw(id: string, why: string): Promise<void> {
    const waiting = this.#open.get(id)
    if (waiting) await this.#end(waiting, { state: 'withdrawn', why, at: Date.now() })
  }

  /** Withdraws the question with this key, if one was asked, since its answer is no longer needed. */
  async withdrawKey(key: string, why: string): Promise<void> {
    const waiting = this.#byKey.get(key)
    if (waiting) await this.#end(waiting, { state: 'withdrawn', why, at: Date.now() })
  }

  /**
   * Takes an answer that was given to exactly this before, for a caller that asks again. An approval is good once and waits a
   * limited time.
   */
  async take(key: string): Promise<GivenAnswer | undefined> {
    let given: GivenAnswer | undefined
    await this.#store.durable(() => {
      given = this.#questions.take(key, Date.now(), this.#limits.approvalMs)
    })
    return given
  }

  /** Forgets settled questions about calls, whose arguments they hold; returns how many. */
  async prune(before: number): Promise<number> {
    let removed = 0
    for (let part = questionsAtOnce; part === questionsAtOnce; removed += part) {
      await this.#store.batch(() => {
        part = this.#questions.prune(before, questionsAtOnce)
      })
    }
    return removed
  }

  /** True if there is an unused answer to exactly this. */
  hasAnswer(key: string): boolean {
    return this.#questions.hasAnswer(key, Date.now(), this.#limits.approvalMs)
  }

  /** True if a person refused exactly this before, so that it is not asked again. */
  wasRefused(key: string): boolean {
    return this.#questions.wasRefused(key)
  }

  /** The newest questions of a kind that a person answered since a time. */
  answered(kind: Question['kind'], since: number, most: number): readonly AnsweredQuestion[] {
    return this.#questions.answered(kind, since, most)
  }

  /** The newest questions that wait no more: those about an act, or those of a range of time. */
  pastQuestions(filter: SettledFilter, most: number): readonly PastQuestion[] {
    return this.#questions.settled(filter, most)
  }

  /** Resolves when a question is answered, expired or withdrawn. */
  async settled(id: string): Promise<void> {
    await this.#open.get(id)?.settled
  }

  /** The settlement of a question; undefined while it is open. */
  settlementOf(id: string): Settlement | undefined {
    return this.#questions.settlementOf(id)
  }

  /** Stops the clock; open questions stay open for the next start. */
  close(): void {
    clearTimeout(this.#timer)
  }

  #remember(question: Question): Waiting {
    let settle = (_settlement: Settlement) => {}
    const settled = new Promise<Settlement>((resolve) => {
      settle = resolve
    })
    const waiting = { question, settled, settle: (settlement: Settlement) => settle(settlement) }
    this.#open.set(question.id, waiting)
    this.#byKey.set(question.key, waiting)
    return waiting
  }

  #forget({ id, key }: Question): void {
    this.#open.delete(id)
    this.#byKey.delete(key)
  }

  async #end(waiting: Waiting, settlement: Exclude<Settlement, { state: 'answered' }>): Promise<void> {
    await this.#settle('batch', waiting, settlement)
    this.#doors.withdraw(waiting.question.id, settlement.why)
  }

  /** Settles a question and records that, both or neither; a question that could not be written waits on. */
  async #settle(how: 'batch' | 'durable', waiting: Waiting, settlement: Settlement): Promise<void> {
    const { question } = waiting
    // from here on no other answer counts, even while the disk is written
    this.#forget(question)
    let recorded: (() => void) | undefined
    try {
      await this.#store[how](() => {
        this.#questions.settle(question.id, settlement)
        recorded = this.#options.record?.(question, settlement)
      })
    } catch (error) {
      this.#open.set(question.id, waiting)
      this.#byKey.set(question.key, waiting)
      throw error
    }
    recorded?.()
    this.#abandoned.delete(question.id)
    waiting.settle(settlement)
  }

  #refuseTooMany(principalId: string, principal: string): void {
    const { maxOpen, maxOpenPerPrincipal } = this.#limits
    const own = this.open.filter((question) => question.principalId === principalId).length
    if (own >= maxOpenPerPrincipal) {
      throw new InboxError('Full', `Cannot ask: ${own} questions of "${principal}" wait for an answer already`)
    }
    if (this.#open.size >= maxOpen) {
      throw new InboxError('Full', `Cannot ask: ${maxOpen} questions wait for an answer already`)
    }
  }

  #refuseSettled(id: string): never {
    const settlement = this.#questions.settlementOf(id)
    if (!settlement) throw new InboxError('Unknown', `Cannot answer question ${id}: there is no such question`)
    const how =
      settlement.state === 'answered' ? `it was answered by ${settlement.answer.by}` : `it ${settlement.state}`
    throw new InboxError('Settled', `Cannot answer question ${id}: ${how}`)
  }

  // one timer for all questions: for the one that expires first
  #schedule(): void {
    clearTimeout(this.#timer)
    const next = Math.min(...this.open.map(({ expiresAt }) => expiresAt))
    if (!Number.isFinite(next)) return
    const waitMs = Math.min(Math.max(0, next - Date.now()), 2 ** 31 - 1)
    this.#timer = setTimeout(() => void this.#expire(), waitMs)
    this.#timer.unref()
  }

  async #expire(): Promise<void> {
    const now = Date.now()
    const late = [...this.#open.values()].filter(({ question }) => question.expiresAt <= now)
    await Promise.allSettled(late.map((one) => this.#end(one, { state: 'expired', why: 'nobody answered', at: now })))
    this.#schedule()
  }
}
