import type { Act } from '../acts/act.ts'
import { patternTarget, unmetCondition } from './match.ts'
import { memberAt } from './match-condition.ts'
import type { Policy, Verdict } from './policy.ts'
import type { Condition, Rule } from './rule.ts'
import type { Taint } from './taint.ts'
import { withTaint } from './with-taint.ts'

/** A rule that concerns an act, and what kept it from matching. */
export interface Considered {
  readonly rule: Rule
  /** Missing when it matched. */
  readonly unmet: string | undefined
}

/** Why an act gets the verdict it gets. */
export interface PolicyExplanation {
  readonly verdict: Verdict
  readonly considered: readonly Considered[]
  /** The smallest change that would have changed the verdict. */
  readonly change: string
}

/** Answers "why was this allowed, asked, denied?". */
export function explain(policy: Policy, act: Act, taint?: Taint): PolicyExplanation {
  const verdict = withTaint(policy.judge(act), taint, policy.mode)
  const considered = policy.candidates(act).map((rule): Considered => {
    const condition = unmetCondition(rule, act)
    return { rule, unmet: condition && describeUnmet(condition, act) }
  })
  return { verdict, considered, change: changeOf(verdict, considered, act) }
}

function changeOf(verdict: Verdict, considered: readonly Considered[], act: Act): string {
  const pattern = `${act.server}:${patternTarget(act)}`
  if (verdict.taint) return 'Wait until what was read is forgotten, or set "policy.taint" to "off"'
  if (verdict.effect === 'allow') return `To be asked, add to "ask": "${pattern}"; to forbid it, add that to "deny"`
  if (verdict.rule !== 'default') {
    const { file, line, layer } = verdict.rule.source
    return `Remove or narrow the rule at ${file}:${line} (${layer})`
  }
  const near = considered.find(({ rule }) => rule.effect === 'allow')
  if (near?.unmet !== undefined) {
    const { file, line, layer } = near.rule.source
    return `Widen "${near.rule.text}" at ${file}:${line} (${layer}): ${near.unmet}`
  }
  if (act.class === 'destroys') return `Add to "allow" a rule with a condition, such as "${pattern}{argument=value}"`
  return `Add to "allow": "${pattern}"`
}

function describeUnmet(condition: Condition, act: Act): string {
  const { path, comparison, values } = condition
  const name = path.join('.')
  const value = memberAt(path, act)
  const found = value === undefined ? 'is not there' : `is ${JSON.stringify(value)}`
  return `it wants ${name}${comparison}${values.map(String).join('|')}, and ${name} ${found}`
}
