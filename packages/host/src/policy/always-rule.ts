import { canonicalJson } from '@trunkline/mcp'
import type { Act, Principal } from '../act/act.ts'
import { maxPatternLength } from './parse-rule.ts'
import type { RuleText } from './rule.ts'

/** Clients of an "always" rule: the one that asked, or all of them if the person chose that. */
export type RuleClients = 'this' | 'all'

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
 * The rule that "always" makes of a call: its tool, and for one that destroys exactly these arguments as well; of a
 * skill, this version of it. Undefined if a rule cannot say that; then it can only be allowed once.
 */
export function alwaysRule(act: RuledAct): string | undefined {
  if (act.kind === 'skill') {
    const { name, version } = act.arguments
    return `${act.server}:@skill{name=${JSON.stringify(name)},version=${JSON.stringify(version)}}`
  }
  const name = `${act.server}:${act.target}`
  if (/[{}\s]/.test(name)) return undefined
  if (act.class !== 'destroys') return name
  // without arguments, the rule would allow the tool whenever it is called
  if (Object.keys(act.arguments).length === 0) return undefined
  const rule = `${name}{==${canonicalJson(act.arguments)}}`
  return rule.length > maxPatternLength ? undefined : rule
}

/** A rule for some acts of one client, or of all. */
export function ruleForClients(match: string, { name }: Principal, clients: RuleClients): RuleText {
  return clients === 'all' ? match : { match, principal: name }
}
