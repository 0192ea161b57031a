import type { Fields, Interceptor } from '@trunkline/mcp'
import type { Act } from '../act/act.ts'
import { Refused } from '../act/refused.ts'
import { explain } from '../policy/explain.ts'
import type { Policy, Verdict } from '../policy/policy.ts'
import type { Taint } from '../policy/taint.ts'
import type { Taints } from '../policy/taints.ts'
import { withTaint } from '../policy/with-taint.ts'
import type { ActHandler, Doing } from './doing.ts'
import type { Pins } from './pinned.ts'

/** Asks a person about an act, and then does it or not. */
export type AskPerson = (doing: Doing, verdict: Verdict, next: ActHandler) => Promise<Fields>

/** Dependencies of the policy layer. */
export interface PolicyParts {
  policy(act: Act): Policy
  readonly taints: Taints
  readonly ask: AskPerson
  /** For acts with definitions: refuses an allowed act that is no longer the one the person was asked about. */
  readonly pins?: Pick<Pins, 'checkAllowed'>
}

/** Applies the policy: allows, asks, or refuses. */
export function applyPolicy({ policy, taints, ask, pins }: PolicyParts): Interceptor<ActHandler> {
  return (next) => (doing) => {
    const waiting = waitingRefusal(doing.act)
    if (waiting) throw waiting
    const verdict = judged(policy(doing.act), doing, taints)
    if (verdict.effect === 'allow') return next(doing)
    if (verdict.effect === 'deny') throw denied(doing.act, verdict)
    // a person may edit an act before allowing it, and a denied act stays denied
    return ask(doing, verdict, async (allowed) => {
      const entry = pins?.checkAllowed(doing.act, allowed.act)
      const now = entry ? { ...allowed, entry } : allowed
      const again = judged(policy(allowed.act), now, taints)
      if (again.effect === 'deny') throw denied(allowed.act, again)
      if (again.effect === 'ask' && !isSameQuestion(again, verdict)) {
        throw new Refused('changed', `The policy changed while a person was asked: now ${again.why}; call again`)
      }
      if (hasMore(again.taint, verdict.taint)) {
        throw new Refused('changed', `While a person was asked, more was read: ${again.taint?.why}; call again`)
      }
      if (verdict.taint) await taints.pass(allowed.act, verdict.taint)
      return next(now)
    })
  }
}

/** The refusal of an act of a client that no person accepted; such a client may only see lists. */
export function waitingRefusal({ kind, principal: { waits } }: Act): Refused | undefined {
  return waits === undefined || kind === 'list' ? undefined : new Refused('denied', waits)
}

/** True if two verdicts ask for the same reason, and the same people. */
function isSameQuestion(one: Verdict, another: Verdict): boolean {
  return one.by === another.by && ruleText(one) === ruleText(another)
}

function ruleText({ rule }: Verdict): string {
  return rule === 'default' ? rule : `${rule.effect} ${rule.text}`
}

/** True if data could leave that the person did not know of. */
function hasMore(now: Taint | undefined, known: Taint | undefined): boolean {
  return now?.sources.some((source) => !known?.sources.includes(source)) === true
}

function judged(policy: Policy, { act, entry }: Doing, taints: Taints): Verdict {
  const verdict = policy.judge(act)
  return verdict.effect === 'deny' ? verdict : withTaint(verdict, taints.of(act, entry), policy.mode)
}

/** The refusal of an act when no person can be asked; it names the rule that would allow it. */
export function unattended(policy: Policy, act: Act, taint?: Taint): Refused {
  const { verdict, change } = explain(policy, act, taint)
  return new Refused('denied', `Nobody can be asked here, and ${verdict.why}. ${change}`)
}

/** The refusal of an act that a rule denies. */
export function denied(act: Act, { why, rule }: Verdict): Refused {
  const text = rule === 'default' ? undefined : rule.text
  return new Refused('denied', `The policy denies ${act.kind} "${act.target}" of server "${act.server}": ${why}`, text)
}
