import { canonicalJson } from '@trunkline/mcp'
import type { Comparison, Condition, RuleSource } from './rule.ts'
import { RuleError } from './rule-error.ts'
import { splitOutsideQuotes } from './split.ts'
import { type ValuePattern, valuePattern } from './value-pattern.ts'

const form =
  /^("(?:[^"\\]|\\.)*"|\/(?:~[01]|[^\s"=!<>~])+|[^\s"=!<>~/][^\s"=!<>~]*)\s*(!=|!~|<=|>=|=|<|>|~)\s*([\s\S]+)$/
const orders: readonly Comparison[] = ['<', '<=', '>', '>=']

/** Reads `argument comparison value|value|…`. */
export function parseCondition(text: string, source: RuleSource): Condition {
  const [, name, comparison, rest] = form.exec(text) ?? []
  if (name === undefined || rest === undefined) {
    throw new RuleError(source, `"${text}" is not a condition: write argument=value, argument<=number or argument~glob`)
  }
  const values = splitOutsideQuotes(rest, '|').map((value) =>
    parseValue(value.trim(), comparison as Comparison, source),
  )
  if (orders.includes(comparison as Comparison) && values.some((value) => typeof value !== 'number')) {
    throw new RuleError(source, `"${text}" compares with something that is not a number`)
  }
  const patterns = patternsOf(comparison as Comparison, values)
  return {
    path: parsePath(name, source),
    comparison: comparison as Comparison,
    values,
    ...(patterns.length > 0 && { patterns }),
  }
}

/** Reads `{…}`, the arguments as JSON, all of them and no others. */
export function parseExactly(text: string, source: RuleSource): Condition {
  try {
    const args: unknown = JSON.parse(text)
    if (typeof args !== 'object' || args === null || Array.isArray(args)) throw new Error('no object')
    return { path: [], comparison: '==', values: [canonicalJson(args)] }
  } catch {
    throw new RuleError(source, `"${text}" are no arguments: write them all as JSON, as in {=={"path":"/tmp/a"}}`)
  }
}

/** Globs, and with `=` and `!=` values that have many spellings. */
function patternsOf(comparison: Comparison, values: Condition['values']): readonly ValuePattern[] {
  if (comparison === '~' || comparison === '!~') return values.map((value) => valuePattern(String(value)))
  if (comparison !== '=' && comparison !== '!=') return []
  const texts = values.filter((value) => typeof value === 'string')
  return texts.map((text) => valuePattern(text)).filter(({ kind }) => kind !== 'text')
}

/** `options.depth`, `files[].path`, `/options/depth`, or one name as a JSON string. */
function parsePath(name: string, source: RuleSource): readonly string[] {
  if (name.startsWith('"')) return [parseQuoted(name, source)]
  if (!name.startsWith('/')) return name.split('.').map((part) => part.replace(/(?<=.)\[\]$/, ''))
  return name
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function parseValue(text: string, comparison: Comparison, source: RuleSource): Condition['values'][number] {
  if (text === '') throw new RuleError(source, `a condition has nothing to compare with; write "" for an empty text`)
  if (text.startsWith('"')) return parseQuoted(text, source)
  // a glob is text, even when it looks like a number
  if (comparison === '~' || comparison === '!~') return text
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : text
}

function parseQuoted(text: string, source: RuleSource): string {
  try {
    return JSON.parse(text) as string
  } catch {
    throw new RuleError(source, `${text} is not a JSON string`)
  }
}
