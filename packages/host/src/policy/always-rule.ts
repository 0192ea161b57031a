import type { Act } from '../acts/act.ts'
import { commonConditions, isScalar } from './common-conditions.ts'

/** A rule that "always" would write, and where it would count. */
export interface PlacedRule {
  readonly text: string
  readonly file: string
  readonly layer: 'user' | 'local'
}

/**
 * The rule that "always" makes of a call: its tool, and for one that destroys its arguments as well. Undefined where a
 * rule cannot say them exactly; then it can only be allowed once.
 */
export function alwaysRule(act: Pick<Act, 'server' | 'target' | 'class' | 'arguments'>): string | undefined {
  const name = `${act.server}:${act.target}`
  if (/[{}\s]/.test(name)) return undefined
  if (act.class !== 'destroys') return name
  const values = Object.values(act.arguments)
  if (values.length === 0 || !values.every(isScalar)) return undefined
  return `${name}{${commonConditions([act.arguments]).join(', ')}}`
}
