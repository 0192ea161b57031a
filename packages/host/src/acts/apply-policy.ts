import type { Fields, Interceptor } from '@trunkline/mcp'
import { explain } from '../policy/explain.ts'
import type { Policy, Verdict } from '../policy/policy.ts'
import type { Taint } from '../policy/taint.ts'
import type { Taints } from '../policy/taints.ts'
import { withTaint } from '../policy/with-taint.ts'
import type { Act } from './act.ts'
import { type ActHandler, type Doing, Refused } from './outcome.ts'

/** Asks a person about an act, and then does it or not. */
export type AskPerson = (doing: Doing, verdict: Verdict, next: ActHandler) => Promise<Fields>

/** Applies the policy: allows, asks, or refuses. */
export function applyPolicy(policy: (act: Act) => Policy, taints: Taints, ask: AskPerson): Interceptor<ActHandler> {
  return (next) => async (doing) => {
    const verdict = judged(policy(doing.act), doing.act, taints)
    if (verdict.effect === 'allow') return next(doing)
    if (verdict.effect === 'deny') throw denied(doing.act, verdict)
    // what a person lets pass may have been edited, and what is denied stays denied whoever was asked
    return ask(doing, verdict, async (edited) => {
      const again = policy(edited.act).judge(edited.act)
      if (again.effect === 'deny') throw denied(edited.act, again)
      if (verdict.taint) await taints.pass(edited.act, verdict.taint)
      return next(edited)
    })
  }
}

function judged(policy: Policy, act: Act, taints: Taints): Verdict {
  const verdict = policy.judge(act)
  return verdict.effect === 'deny' ? verdict : withTaint(verdict, taints.of(act), policy.mode)
}

/** The refusal of an act that nobody can be asked about; it names the rule that would allow it. */
export function unattended(policy: Policy, act: Act, taint?: Taint): Refused {
  const { verdict, change } = explain(policy, act, taint)
  return new Refused('denied', `Nobody can be asked here, and ${verdict.why}. ${change}`)
}

/** The refusal of an act that a rule denies. */
export function denied(act: Act, { why, rule }: Verdict): Refused {
  const text = rule === 'default' ? undefined : rule.text
  return new Refused('denied', `The policy denies ${act.kind} "${act.target}" of server "${act.server}": ${why}`, text)
}
