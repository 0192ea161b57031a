import { canonicalJson } from '@trunkline/mcp'
import type { Act } from '../acts/act.ts'
import { maxPatternLength } from './parse.ts'

/** A rule that "always" would write, and where it would count. */
export interface PlacedRule {
  readonly text: string
  readonly file: string
  readonly layer: 'user' | 'local'
}

/**
 * The rule that "always" makes of a call: its tool, and for one that destroys exactly these arguments as well. Undefined
 * where a rule cannot say that; then it can only be allowed once.
 */
export function alwaysRule(act: Pick<Act, 'server' | 'target' | 'class' | 'arguments'>): string | undefined {
  const name = `${act.server}:${act.target}`
  if (/[{}\s]/.test(name)) return undefined
  if (act.class !== 'destroys') return name
  // without arguments, the rule would allow the tool whenever it is called
  if (Object.keys(act.arguments).length === 0) return undefined
  const rule = `${name}{==${canonicalJson(act.arguments)}}`
  return rule.length > maxPatternLength ? undefined : rule
}
