import type { Question } from './queries.ts'
import { createStore } from './store.ts'

/** A question that waits no more, and who answered it or why it is not needed. */
export interface SettledQuestion {
  readonly question: Question
  readonly by: string
  readonly at: number
}

const maxSettled = 50

/** Questions that were settled while this page was open, newest first. */
export const settledQuestions = createStore<readonly SettledQuestion[]>([])

export function addSettled(question: Question, by: string): void {
  const others = settledQuestions.get().filter((one) => one.question.id !== question.id)
  settledQuestions.set([{ question, by, at: Date.now() }, ...others].slice(0, maxSettled))
}
