import type { Verdict } from './policy.ts'
import type { Taint } from './taint.ts'

/** A verdict with what was read taken into account: nothing that is dangerous is allowed unasked. */
export function withTaint(verdict: Verdict, taint: Taint | undefined, mode: 'enforce' | 'observe'): Verdict {
  if (!taint || verdict.effect === 'deny') return verdict
  if (mode === 'observe') return { ...verdict, why: `${verdict.why}; ${taint.why}` }
  const why = verdict.effect === 'ask' ? `${verdict.why}; and ${taint.why}` : taint.why
  return { ...verdict, effect: 'ask', why, taint }
}
