import type { EffectiveConfig } from '../config/effective.ts'
import type { ConfigProblem } from '../config/problem.ts'
import { parseRule } from './parse-rule.ts'
import type { Effect, Rule, RuleText } from './rule.ts'
import { RuleError } from './rule-error.ts'

/** The rules of a configuration. */
export interface ConfiguredRules {
  readonly rules: readonly Rule[]
  /** Rules for tools whose results a person sees first. */
  readonly reviews: readonly Rule[]
  readonly problems: readonly ConfigProblem[]
  /** Reason why a rule that denies or asks may be missing; then nothing is allowed unasked. */
  readonly doubt: string | undefined
}

/** Reads the rules as they were written; one that cannot be read is named, and the others hold. */
export function rulesFromConfig({ rules: written, partial }: EffectiveConfig): ConfiguredRules {
  const rules: Rule[] = []
  const reviews: Rule[] = []
  const problems: ConfigProblem[] = []
  let doubt = partial[0] === undefined ? undefined : `"${partial[0]}" could not be read whole`
  for (const { effect, rule, source } of written) {
    try {
      // a result can only be asked about, so its rule is one of those
      if (effect === 'review') reviews.push(parseRule('ask', rule as RuleText, source))
      else rules.push(parseRule(effect satisfies Effect, rule as RuleText, source))
    } catch (error) {
      if (!(error instanceof RuleError)) throw error
      const { file, line } = source
      const [, problem = error.message] = /^Cannot read the rule at .*?:\d+: ([\s\S]*)$/.exec(error.message) ?? []
      problems.push({ file, line, key: `policy.${effect}`, problem: 'holds no rule', fix: problem })
      if (effect !== 'allow' && !error.matchesNothing) doubt ??= `the ${effect} rule at ${file}:${line} cannot be read`
    }
  }
  return { rules, reviews, problems, doubt }
}
