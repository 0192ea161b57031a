import type { Answer, Question, QuestionKind } from '../question.ts'

/** Decisions that can be made to need a proof. */
export const proofScopes = ['destroys', 'policy', 'everything'] as const
export type ProofScope = (typeof proofScopes)[number]

/** A decision of a person: an answer to a question, a change of the policy, or anything else that only a person may do. */
export type PersonDecision =
  | {
      readonly kind: 'answer'
      readonly question: Question
      readonly choice: Answer['choice']
      /** True if it covers further tools or clients. @default false */
      readonly isBroad?: boolean
    }
  | { readonly kind: 'policy' | 'other' }

/** Answers to these let something count from then on. */
const acceptances: ReadonlySet<QuestionKind> = new Set<QuestionKind>(['definition', 'start', 'file', 'client'])

/** True if a decision needs a proof. A refusal needs none: it lets nothing happen. */
export function needsProof(decision: PersonDecision, scopes: readonly ProofScope[]): boolean {
  if (decision.kind === 'answer' && decision.choice === 'refuse') return false
  return scopes.some((scope) => scope === 'everything' || covers[scope](decision))
}

const covers: { readonly [Scope in Exclude<ProofScope, 'everything'>]: (decision: PersonDecision) => boolean } = {
  destroys: (decision) => decision.kind === 'answer' && decision.question.detail.class === 'destroys',
  policy: (decision) => {
    if (decision.kind !== 'answer') return decision.kind === 'policy'
    const { choice, isBroad = false, question } = decision
    return choice === 'always' || choice === 'project' || isBroad || acceptances.has(question.kind)
  },
}
