import type { Fields } from '@trunkline/mcp'
import type { Act } from '../act/act.ts'

/** Decision of a person about an act. */
export interface Decision {
  /** The question it was decided by, or is still to be. */
  readonly question: string
  /** Arguments that run in place of the given ones. */
  readonly arguments?: Fields | undefined
}

// beside the act, so that an act without a question carries nothing
const decisions = new WeakMap<Act, Decision>()

/** Notes the decision of a person about an act. */
export function noteDecision(act: Act, decision: Decision): void {
  decisions.set(act, decision)
}

/** The decision of a person about an act, or the question that is still open. */
export function decisionOf(act: Act): Decision | undefined {
  return decisions.get(act)
}
