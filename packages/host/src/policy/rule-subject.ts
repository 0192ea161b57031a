import { matchesGlob } from '@trunkline/base/glob'
import type { Act } from '../act/act.ts'
import { type ConditionSubject, mayHold, surelyHolds } from './match-condition.ts'
import type { Condition, Rule } from './rule.ts'

/**
 * Everything of an act but its arguments that rules are matched with. Rules see nothing else, so acts with equal
 * subjects concern the same rules.
 */
export interface RuleSubject {
  readonly serverName: string
  readonly targetName: string
  readonly class: Act['class']
  readonly effects: readonly string[]
  readonly principalName: string
}

/** The subject that rules are matched with; its values, in this order, are the cache key of the rules for it. */
export function ruleSubject(act: Act): RuleSubject {
  return {
    serverName: act.server,
    targetName: patternTarget(act),
    class: act.class,
    effects: act.effects,
    principalName: act.principal.name,
  }
}

/** Name of an act in a pattern: a tool by its name, anything else by `@` and its kind. */
export function patternTarget(act: Act): string {
  return act.kind === 'call' ? act.target : `@${act.kind}`
}

/** True if a rule can match an act at all, whatever its arguments. */
export function concerns(rule: Rule, subject: RuleSubject): boolean {
  return (
    matchesGlob(rule.server, subject.serverName) &&
    matchesTarget(rule.target, subject.targetName) &&
    (rule.classes.length === 0 || rule.classes.includes(subject.class)) &&
    (rule.effects.length === 0 ||
      rule.effects.some((effect) => subject.effects.some((one) => matchesGlob(effect, one)))) &&
    matchesGlob(rule.principal, subject.principalName)
  )
}

/** True if the time of a rule is over. */
export function isRuleOver({ until }: Pick<Rule, 'until'>, now = Date.now()): boolean {
  return until !== undefined && until <= now
}

/** The folder that a server of this machine runs in; undefined for one that runs elsewhere. */
export type FolderOf = (act: Act) => string | undefined

/** The first condition of a rule that the arguments do not fulfil, if there is one. */
export function unmetCondition(rule: Rule, act: Act, folderOf: FolderOf): Condition | undefined {
  if (rule.conditions.length === 0) return undefined
  const holds = rule.effect === 'allow' ? surelyHolds : mayHold
  const subject = conditionSubject(act, folderOf)
  return rule.conditions.find((condition) => !holds(condition, subject))
}

/** The subject that the conditions of rules are matched with. */
export function conditionSubject(act: Act, folderOf: FolderOf): ConditionSubject {
  return {
    arguments: addressed(act),
    folders: () => {
      const folder = folderOf(act)
      const asked = act.folder === undefined ? [] : [act.folder]
      const besides = act.project === undefined ? [] : [act.project]
      return folder === undefined ? { own: [], besides: [...asked, ...besides] } : { own: [folder, ...asked], besides }
    },
  }
}

/** True if a pattern means a tool. A star for tools never reaches other acts: "files:*" does not permit requests of files. */
export function matchesTarget(pattern: string, target: string): boolean {
  return pattern.startsWith('@') === target.startsWith('@') && matchesGlob(pattern, target)
}

/** Conditions on resources and prompts see the address or name as an argument. */
function addressed({ kind, target, arguments: args }: Act): Act['arguments'] {
  if (kind === 'read' || kind === 'watch' || kind === 'skill') return { ...args, uri: target }
  return kind === 'prompt' ? { ...args, name: target } : args
}
