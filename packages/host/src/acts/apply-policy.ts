import type { Fields, Interceptor } from '@trunkline/mcp'
import { explain } from '../policy/explain.ts'
import type { Policy, Verdict } from '../policy/policy.ts'
import type { Act } from './act.ts'
import { type ActHandler, type Doing, Refused } from './outcome.ts'

/** Asks a person about an act, and then does it or not. */
export type AskPerson = (doing: Doing, verdict: Verdict, next: ActHandler) => Promise<Fields>

/** Applies the policy: allows, asks, or refuses. */
export function applyPolicy(policy: () => Policy, ask: AskPerson): Interceptor<ActHandler> {
  return (next) => async (doing) => {
    const verdict = policy().judge(doing.act)
    if (verdict.effect === 'allow') return next(doing)
    if (verdict.effect === 'deny') throw denied(doing.act, verdict)
    // what a person lets pass may have been edited, and what is denied stays denied whoever was asked
    return ask(doing, verdict, (edited) => {
      const again = policy().judge(edited.act)
      if (again.effect === 'deny') throw denied(edited.act, again)
      return next(edited)
    })
  }
}

/** The refusal of an act that nobody can be asked about; it names the rule that would allow it. */
export function unattended(policy: Policy, act: Act): Refused {
  const { verdict, change } = explain(policy, act)
  return new Refused('denied', `Nobody can be asked here, and ${verdict.why}. ${change}`)
}

/** The refusal of an act that a rule denies. */
export function denied(act: Act, { why, rule }: Verdict): Refused {
  const text = rule === 'default' ? undefined : rule.text
  return new Refused('denied', `The policy denies ${act.kind} "${act.target}" of server "${act.server}": ${why}`, text)
}
