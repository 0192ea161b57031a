import type { Verdict } from './policy.ts'
import type { Taint } from './taint.ts'

/** A verdict that respects the taint: nothing dangerous is allowed unasked. */
export function withTaint(verdict: Verdict, taint: Taint | undefined, mode: 'enforce' | 'observe'): Verdict {
  if (!taint || verdict.effect === 'deny') return verdict
  if (mode === 'observe') return { ...verdict, why: `${verdict.why}; ${taint.why}` }
  const why = verdict.effect === 'ask' ? `${verdict.why}; and ${taint.why}` : taint.why
  return { ...verdict, effect: 'ask', why, taint }
}
