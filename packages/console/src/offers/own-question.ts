import type { Question } from '../host/queries.ts'

/** A call of this page that is under way. */
export interface CallOfPage {
  readonly server: string
  /** The tool, prompt or address. */
  readonly name: string
  /** Time as in `Date.now()`. */
  readonly startedAt: number
}

/** The question that a call of this page waits for: about the call itself, or one that its server asks meanwhile. */
export function ownQuestion(questions: readonly Question[], call: CallOfPage): Question | undefined {
  return questions.find((question) => isAbout(question, call))
}

function isAbout(
  { server, target, principal, askedAt, detail }: Question,
  { name, startedAt, ...call }: CallOfPage,
): boolean {
  if (server !== call.server) return false
  if (principal === 'console' && target === name) return true
  if (askedAt < startedAt) return false
  const during = detail.during as { readonly target?: string; readonly client?: string } | undefined
  if (during) return during.client === 'console' && during.target === name
  // a prompt for a model, and its answer, are asked about in the name of the caller
  return principal === 'console' && target === '@sample'
}
