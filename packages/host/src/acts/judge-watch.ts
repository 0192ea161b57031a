import { RpcError } from '@trunkline/mcp'
import type { Act } from '../act/act.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Policy } from '../policy/policy.ts'
import { denied, waitingRefusal } from './apply-policy.ts'
import { recorded } from './record.ts'

/** Dependencies of judging and recording subscriptions. */
export interface JudgeWatchParts {
  readonly ledger: Ledger
  policy(act: Act): Policy
}

const notAborted = new AbortController().signal

/** Judges a subscription, which is only allowed or denied, and records it either way; throws where it is denied. */
export function judgeWatch({ ledger, policy }: JudgeWatchParts, act: Act): void {
  const verdict = policy(act).judge(act)
  const refusal = waitingRefusal(act) ?? (verdict.effect === 'deny' ? denied(act, verdict) : undefined)
  const does = refusal ? () => Promise.reject(refusal) : () => Promise.resolve({})
  // nothing is sent or received that could be kept beside the line, and no answer waits for it
  recorded({ ledger, levelOf: () => 'off' }, act, { signal: notAborted }, does).catch(() => {})
  if (refusal) throw new RpcError(-32603, refusal.message)
}
