import { canonicalJson } from '@trunkline/mcp'
import type { Act, Principal } from '../act/act.ts'
import { maxPatternLength } from './parse-rule.ts'
import type { RuleText } from './rule.ts'

/** Scope of an "always" rule, as the person chose it. */
export interface RuleScope {
  /** The client that asked, or all of them. */
  readonly clients: 'this' | 'all'
  /** True for calls with exactly these arguments. @default false, except for what destroys */
  readonly isExact?: boolean | undefined
  /** Time from which it holds no more, as in `Date.now()`. @default it does not end */
  readonly until?: number | undefined
}

/** A rule that "always" would write, and the place for it. */
export interface PlacedRule {
  /** The pattern of its acts. */
  readonly text: string
  readonly file: string
  readonly layer: 'user' | 'local'
}

/** The members of an act that its "always" rule is made of. */
export type RuledAct = Pick<Act, 'server' | 'target' | 'class' | 'arguments'> & { readonly kind?: Act['kind'] }

/**
 * The rule that "always" makes of a call: its tool, and for one that destroys, or if the person wants that, exactly these
 * arguments as well; of a skill, this version of it. Undefined if a rule cannot say that; then it can only be allowed once.
 */
export function alwaysRule(act: RuledAct, { isExact = false }: Pick<RuleScope, 'isExact'> = {}): string | undefined {
  if (act.kind === 'skill') {
    const { name, version } = act.arguments
    return `${act.server}:@skill{name=${JSON.stringify(name)},version=${JSON.stringify(version)}}`
  }
  const name = `${act.server}:${act.target}`
  if (/[{}\s]/.test(name)) return undefined
  if (act.class !== 'destroys' && !isExact) return name
  // without arguments, the rule of what destroys would allow the tool whenever it is called
  if (act.class === 'destroys' && Object.keys(act.arguments).length === 0) return undefined
  const rule = `${name}{==${canonicalJson(act.arguments)}}`
  return rule.length > maxPatternLength ? undefined : rule
}

/** A rule for some acts of one client or of all, for ever or until a time. */
export function ruleInScope(match: string, { name }: Principal, { clients, until }: RuleScope): RuleText {
  if (clients === 'all' && until === undefined) return match
  return {
    match,
    ...(clients === 'this' && { principal: name }),
    ...(until !== undefined && { until: new Date(until).toISOString() }),
  }
}
