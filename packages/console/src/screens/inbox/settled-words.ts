import type { ChainedLine } from '../../host/queries.ts'
import type { SettledQuestion } from '../../host/settled.ts'

const ofCalls: { readonly [choice: string]: string } = {
  once: 'allowed once',
  session: 'allowed for the session',
  project: 'allowed in the project',
  always: 'always allowed',
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
