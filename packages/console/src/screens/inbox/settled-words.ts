import type { RouteAnswer } from '@trunkline/host/page-api'
import type { ChainedLine } from '../../host/queries.ts'
import type { SettledQuestion } from '../../host/settled.ts'

/** A settled question that the host remembers. */
export type RememberedQuestion = RouteAnswer<'settledQuestions'>['items'][number]

const ofCalls: { readonly [choice: string]: string } = {
  once: 'allowed once',
  session: 'allowed for the session',
  project: 'allowed in the project',
  always: 'always allowed',
}

const others: { readonly [outcome: string]: string } = {
  refuse: 'refused',
  expired: 'not answered in time',
}

/** Outcome of a question, from its line in the ledger, or else from the event. */
export function settledWords({ question, by }: SettledQuestion, lines: readonly ChainedLine[]): string {
  const found = lines.findLast(({ line }) => line.kind === 'decided' && line.question === question.id)
  const { outcome = '', by: decider } = found?.line ?? {}
  if (decider === undefined) return by
  if (outcome === 'refuse') return `refused by ${decider}`
  if (ofCalls[outcome] === undefined) return by
  // nothing has run yet, and nothing may
  if (question.abandoned && outcome === 'once') return `the next such call allowed by ${decider}`
  return `${question.kind === 'call' ? ofCalls[outcome] : 'answered'} by ${decider}`
}

/** Outcome of a question that the host remembers. */
export function pastWords({ question, outcome, by, why }: RememberedQuestion): string {
  if (outcome === 'withdrawn') return why ?? 'withdrawn'
  const allowed = ofCalls[outcome] && (question.kind === 'call' ? ofCalls[outcome] : 'answered')
  const words = allowed ?? others[outcome] ?? outcome
  return by === undefined ? words : `${words} by ${by}`
}
