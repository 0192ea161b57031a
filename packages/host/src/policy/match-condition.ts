import { canonicalJson, type Fields } from '@trunkline/mcp'
import { argumentsAt, argumentsWithin } from './arguments-at.ts'
import type { PathFolders } from './path-pattern.ts'
import type { Comparison, Condition } from './rule.ts'
import { mayFit, surelyFits } from './value-pattern.ts'

/** Everything that the conditions of a rule read of an act. */
export interface ConditionSubject {
  readonly arguments: Fields
  /** Looked up only when a path is compared. */
  folders(): PathFolders
}

/**
 * True if arguments surely fulfil a condition: the argument is there, each of its values has the expected type, and has
 * only one reading. Rules that allow are matched so.
 */
export function surelyHolds(condition: Condition, subject: ConditionSubject): boolean {
  if (condition.comparison === '==') return isExactly(condition, subject)
  return argumentsAt(condition.path, subject.arguments).every((value) => surelyHoldsFor(condition, value, subject))
}

/**
 * True if arguments may fulfil a condition under any reading of them: other spellings of a path or address, numbers
 * written as text, any value in a list. Rules that deny or ask are matched so; a missing argument fulfils only a
 * negated condition.
 */
export function mayHold(condition: Condition, subject: ConditionSubject): boolean {
  if (condition.comparison === '==') return isExactly(condition, subject)
  return argumentsWithin(condition.path, subject.arguments).some((value) => mayHoldFor(condition, value, subject))
}

function surelyHoldsFor(condition: Condition, value: unknown, subject: ConditionSubject): boolean {
  const { comparison, values, patterns = [] } = condition
  switch (comparison) {
    case '=':
      return values.some((expected) => expected === value)
    case '!=':
      return values.every((unwanted) => typeof unwanted === typeof value) && !mayEqual(condition, value, subject)
    case '~':
      return typeof value === 'string' && patterns.some((one) => surelyFits(one, value, subject.folders()))
    case '!~':
      return typeof value === 'string' && !patterns.some((one) => mayFit(one, value, subject.folders()))
    default:
      return typeof value === 'number' && values.some((bound) => inOrder(value, comparison, bound as number))
  }
}

function mayHoldFor(condition: Condition, value: unknown, subject: ConditionSubject): boolean {
  const { comparison, values, patterns = [] } = condition
  if (value === undefined) return comparison === '!=' || comparison === '!~'
  switch (comparison) {
    case '=':
      return mayEqual(condition, value, subject)
    case '~':
      return patterns.some((one) => mayFit(one, String(value), subject.folders()))
    case '!=':
    case '!~':
      return !surelyHoldsFor({ ...condition, comparison: comparison === '!=' ? '=' : '~' }, value, subject)
    default: {
      const isNumeral = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
      const number = isNumeral ? Number(value) : Number.NaN
      // a value that is no number here may be one for the server
      return Number.isNaN(number) || values.some((bound) => inOrder(number, comparison, bound as number))
    }
  }
}

function mayEqual({ values, patterns = [] }: Condition, value: unknown, subject: ConditionSubject): boolean {
  const text = String(value)
  return (
    values.some((expected) => String(expected) === text) || patterns.some((one) => mayFit(one, text, subject.folders()))
  )
}

/** True if the arguments are these and no others; arguments nested too deeply to compare are not. */
function isExactly({ values }: Condition, { arguments: args }: ConditionSubject): boolean {
  try {
    return canonicalJson(args) === values[0]
  } catch {
    return false
  }
}

function inOrder(value: number, comparison: Comparison, bound: number): boolean {
  if (comparison === '<') return value < bound
  if (comparison === '<=') return value <= bound
  if (comparison === '>') return value > bound
  return value >= bound
}
