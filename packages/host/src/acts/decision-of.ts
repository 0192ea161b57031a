import type { Fields } from '@trunkline/mcp'
import type { Act } from './act.ts'

/** What a person decided about an act. */
export interface Decision {
  /** The question it was decided by, or is still to be. */
  readonly question: string
  /** What runs in place of what was asked for. */
  readonly arguments?: Fields | undefined
}

// beside the act, so that an act nobody was asked about carries nothing
const decisions = new WeakMap<Act, Decision>()

/** Notes what a person decided about an act. */
export function noteDecision(act: Act, decision: Decision): void {
  decisions.set(act, decision)
}

/** What a person decided about an act, or by which question they still have to. */
export function decisionOf(act: Act): Decision | undefined {
  return decisions.get(act)
}
