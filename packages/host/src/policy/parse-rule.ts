import type { ToolClass } from '../act/act.ts'
import type { ServerName } from '../act/server-name.ts'
import { refuseUnjudged } from './judged-kinds.ts'
import { parseCondition, parseExactly } from './parse-condition.ts'
import type { Condition, Effect, Rule, RuleSource, RuleText } from './rule.ts'
import { RuleError } from './rule-error.ts'
import { splitOutsideQuotes } from './split.ts'

const classes: readonly ToolClass[] = ['reads', 'writes', 'destroys', 'unknown']
const keys = ['match', 'class', 'effects', 'principal', 'by', 'why', 'until'] as const
/** A longer pattern is no pattern that a person wrote. */
export const maxPatternLength = 4_096

/** Reads one rule; anything else is refused with the place, the reason and the fix. */
export function parseRule(effect: Effect, text: RuleText, source: RuleSource): Rule {
  const written = typeof text === 'string' ? { match: text } : text
  if (typeof written !== 'object' || written === null || Array.isArray(written)) {
    throw new RuleError(source, `${show(text)} is not a rule: write "server:tool" or { "match": "server:tool", … }`)
  }
  const stray = Object.keys(written).find((key) => !(keys as readonly string[]).includes(key))
  if (stray !== undefined) throw new RuleError(source, `a rule has no "${stray}"; it has ${keys.join(', ')}`)
  const { match = '*:*', principal = '*', by, why } = written
  for (const [key, value] of Object.entries({ match, principal, why: why ?? '' })) {
    if (typeof value !== 'string')
      throw new RuleError(source, `"${key}" of a rule must be a string, not ${show(value)}`)
  }
  if (by !== undefined && by !== 'local') throw new RuleError(source, `"by" of a rule can only be "local"`)
  const effects = listOf(written.effects)
  if (effect === 'allow' && effects.length > 0)
    throw new RuleError(
      source,
      '"effects" is what a server says of its own tools, so it can only tighten: use it in "ask" or "deny"',
    )
  return {
    effect,
    ...parsePattern(match, source),
    classes: classesOf(written.class, source),
    effects,
    principal,
    by,
    why,
    ...(written.until !== undefined && { until: endOf(effect, written.until, source) }),
    text: typeof text === 'string' ? text : JSON.stringify(text),
    source,
  }
}

/** The end of a rule; one that denies or asks has none, for it would loosen the policy unseen. */
function endOf(effect: Effect, until: unknown, source: RuleSource): number {
  if (effect !== 'allow') throw new RuleError(source, `"until" ends what a rule allows, so it can only be in "allow"`)
  const at = typeof until === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(until) ? Date.parse(until) : Number.NaN
  if (Number.isNaN(at)) {
    throw new RuleError(source, `"until" of a rule must be a time such as "2026-12-24T18:00:00Z", not ${show(until)}`)
  }
  return at
}

function parsePattern(
  pattern: string,
  source: RuleSource,
): { readonly server: ServerName; readonly target: string; readonly conditions: readonly Condition[] } {
  if (pattern.length > maxPatternLength) throw new RuleError(source, `the pattern is longer than ${maxPatternLength}`)
  const [, server, target, , conditions] = /^([^:{}\s]+):([^{}\s]+)(\{([\s\S]*)\})?$/.exec(pattern.trim()) ?? []
  if (server === undefined || target === undefined) {
    const fix = 'write "server:tool" or "server:tool{argument=value}", with * for any'
    throw new RuleError(source, `"${pattern}" is not a pattern of acts: ${fix}`)
  }
  refuseUnjudged(target, source)
  return { server, target, conditions: conditionsOf(conditions, source) }
}

function conditionsOf(text: string | undefined, source: RuleSource): readonly Condition[] {
  if (text === undefined) return []
  if (text.trimStart().startsWith('==')) return [parseExactly(text.trimStart().slice(2), source)]
  return splitOutsideQuotes(text, ',').map((condition) => parseCondition(condition.trim(), source))
}

function classesOf(value: unknown, source: RuleSource): readonly ToolClass[] {
  const names = listOf(value)
  const wrong = names.find((name) => !(classes as readonly string[]).includes(name))
  if (wrong !== undefined) throw new RuleError(source, `there is no class "${wrong}"; there are ${classes.join(', ')}`)
  return names as readonly ToolClass[]
}

function listOf(value: unknown): readonly string[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value.map(String) : [String(value)]
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}
