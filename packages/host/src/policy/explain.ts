import type { Act } from '../act/act.ts'
import { argumentsAt } from './arguments-at.ts'
import type { Policy, Verdict } from './policy.ts'
import type { Condition, Rule } from './rule.ts'
import { conditionSubject, patternTarget, unmetCondition } from './rule-subject.ts'
import type { Taint } from './taint.ts'
import { withTaint } from './with-taint.ts'

/** A rule that concerns an act, and the reason why it did not match. */
export interface Considered {
  readonly rule: Rule
  /** Missing when it matched. */
  readonly unmet: string | undefined
}

/** Explanation of the verdict on an act. */
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
    const condition = unmetCondition(rule, act, policy.folderOf)
    return { rule, unmet: condition && describeUnmet(condition, rule, act, policy) }
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

function describeUnmet({ path, comparison, values }: Condition, rule: Rule, act: Act, { folderOf }: Policy): string {
  const { arguments: args } = conditionSubject(act, folderOf)
  if (comparison === '==') return `it wants exactly ${values[0]}, and the arguments are ${JSON.stringify(args)}`
  const name = path.join('.')
  const found = argumentsAt(path, args).map((value) => (value === undefined ? 'not there' : JSON.stringify(value)))
  const unsure = rule.effect === 'allow' && comparison.endsWith('~') ? ' (or can be read in another way)' : ''
  return `it wants ${name}${comparison}${values.map(String).join('|')}, and ${name} is ${found.join(', ')}${unsure}`
}
