import type { Act } from '../acts/act.ts'
import { matchesGlob } from '../text/glob.ts'
import { mayHold, surelyHolds } from './match-condition.ts'
import type { Condition, Rule } from './rule.ts'

/** What an act is called in a pattern: a tool by its name, anything else by `@` and its kind. */
export function patternTarget(act: Act): string {
  return act.kind === 'call' ? act.target : `@${act.kind}`
}

/** Whether a rule can match an act of this server, target, class, effects and principal at all, whatever its arguments. */
export function concerns(rule: Rule, act: Act): boolean {
  return (
    matchesGlob(rule.server, act.server) &&
    matchesTarget(rule.target, patternTarget(act)) &&
    (rule.classes.length === 0 || rule.classes.includes(act.class)) &&
    (rule.effects.length === 0 || rule.effects.some((effect) => act.effects.some((one) => matchesGlob(effect, one)))) &&
    matchesGlob(rule.principal, act.principal.name)
  )
}

/** The first condition of a rule that the arguments do not fulfil, if there is one. */
export function unmetCondition(rule: Rule, act: Act): Condition | undefined {
  const holds = rule.effect === 'allow' ? surelyHolds : mayHold
  return rule.conditions.find((condition) => !holds(condition, addressed(act)))
}

// a star for a tool never reaches other kinds of acts, so that "files:*" does not also permit what files asks for
function matchesTarget(pattern: string, target: string): boolean {
  return pattern.startsWith('@') === target.startsWith('@') && matchesGlob(pattern, target)
}

/** Conditions on resources and prompts see the address or name as an argument. */
function addressed(act: Act): Act {
  if (act.kind === 'read' || act.kind === 'watch') return { ...act, arguments: { ...act.arguments, uri: act.target } }
  if (act.kind === 'prompt') return { ...act, arguments: { ...act.arguments, name: act.target } }
  return act
}
