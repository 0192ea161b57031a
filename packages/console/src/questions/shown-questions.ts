import { createStore } from '../host/store.ts'

/** Questions that are on the screen in full. */
export const shownQuestions = createStore<ReadonlySet<string>>(new Set())

/** Notes that a question is on the screen, until the returned function is called. */
export function showQuestion(id: string): () => void {
  shownQuestions.set(new Set([...shownQuestions.get(), id]))
  return () => shownQuestions.set(new Set([...shownQuestions.get()].filter((one) => one !== id)))
}
