import type { Act } from '../acts/act.ts'
import { matchesGlob } from '../text/glob.ts'
import { isPathPattern, isPlainPath, spellingsOf } from './paths.ts'
import type { Condition } from './rule.ts'

/**
 * Whether arguments surely fulfil a condition: the argument is there, has the expected type, and has only one reading.
 * This is how a rule that permits is matched.
 */
export function surelyHolds(condition: Condition, act: Act): boolean {
  const values = itemsOf(memberAt(condition.path, act))
  return values.length > 0 && values.every((value) => surelyHoldsFor(condition, value))
}

/**
 * Whether arguments may fulfil a condition under any reading of them: other spellings of a path, numbers written as
 * text. This is how a rule that forbids or asks is matched; what is missing fulfils only what is said in the negative.
 */
export function mayHold(condition: Condition, act: Act): boolean {
  const values = itemsOf(memberAt(condition.path, act))
  if (values.length === 0) return isNegative(condition)
  return values.some((value) => mayHoldFor(condition, value, act.project))
}

/** The argument at a path; only what the caller sent counts, never what objects inherit. */
export function memberAt(path: readonly string[], act: Act): unknown {
  let value: unknown = act.arguments
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as { readonly [key: string]: unknown })[name]
  }
  return value
}

function itemsOf(value: unknown): readonly unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

function isNegative({ comparison }: Condition): boolean {
  return comparison === '!=' || comparison === '!~'
}

function surelyHoldsFor({ comparison, values }: Condition, value: unknown): boolean {
  switch (comparison) {
    case '=':
      return values.some((expected) => expected === value)
    case '!=':
      return values.every((unwanted) => typeof unwanted === typeof value && unwanted !== value)
    case '~':
    case '!~': {
      if (typeof value !== 'string') return false
      const patterns = values.map(String)
      if (patterns.some(isPathPattern) && !isPlainPath(value)) return false
      return patterns.some((pattern) => matchesGlob(pattern, value)) === (comparison === '~')
    }
    default:
      return typeof value === 'number' && values.some((bound) => inOrder(value, comparison, bound as number))
  }
}

function mayHoldFor({ comparison, values }: Condition, value: unknown, base: string | undefined): boolean {
  const text = textOf(value)
  switch (comparison) {
    case '=':
      return values.some((expected) => String(expected) === text)
    case '!=':
      return values.every((unwanted) => String(unwanted) !== text)
    case '~':
      return values.some((pattern) => spellings(String(pattern), text, base).some((one) => fits(String(pattern), one)))
    case '!~':
      return values.every((pattern) =>
        spellings(String(pattern), text, base).some((one) => !fits(String(pattern), one)),
      )
    default:
      return values.some((bound) => inOrder(Number(text), comparison, bound as number))
  }
}

function spellings(pattern: string, text: string, base: string | undefined): readonly string[] {
  return isPathPattern(pattern) ? spellingsOf(text, base) : [text]
}

// a file system may not tell upper from lower case, and a rule that forbids must hold there too
function fits(pattern: string, text: string): boolean {
  return matchesGlob(pattern.toLowerCase(), text.toLowerCase())
}

function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

function inOrder(value: number, comparison: Condition['comparison'], bound: number): boolean {
  if (comparison === '<') return value < bound
  if (comparison === '<=') return value <= bound
  if (comparison === '>') return value > bound
  return value >= bound
}
