import type { Act } from './act.ts'

// beside the act, so that an act nobody was asked about carries nothing
const questions = new WeakMap<Act, string>()

/** Notes by which question a person decided about an act. */
export function noteDecision(act: Act, question: string): void {
  questions.set(act, question)
}

/** The question by which a person decided about an act, or is still to decide. */
export function decisionOf(act: Act): string | undefined {
  return questions.get(act)
}
