import { encodeReserved } from './encoding.ts'
import { type Operator, operators } from './operators.ts'
import { TemplateError } from './template-error.ts'

/** A variable as one expression names it. */
export interface Variable {
  readonly name: string
  /** `{name*}`: one item of the expression for each member of the value. */
  readonly explode: boolean
  /** `{name:3}`: at most so many characters of the value. */
  readonly prefix: number | undefined
}

/** Text between expressions. */
export interface Literal {
  readonly position: number
  /** Spelled as in a URI. */
  readonly text: string
}

/** The text between two braces. */
export interface Expression {
  readonly position: number
  readonly operator: Operator
  readonly variables: readonly Variable[]
}

/** A stretch of a template. */
export type Part = Literal | Expression

/** The size of the largest template. */
export interface ParseLimits {
  readonly maxTemplateLength: number
  readonly maxExpressions: number
}

/** The literals and expressions of a template, in order; no two literals are neighbours. */
export function parseParts(text: string, { maxTemplateLength, maxExpressions }: ParseLimits): readonly Part[] {
  if (text.length > maxTemplateLength)
    throw new TemplateError('parse', maxTemplateLength, `it has more than ${maxTemplateLength} characters`)
  const parts: Part[] = []
  let expressions = 0
  let position = 0
  while (position < text.length) {
    const isExpression = text[position] === '{'
    if (isExpression && ++expressions > maxExpressions)
      throw new TemplateError('parse', position, `it has more than ${maxExpressions} expressions`)
    const end = isExpression ? expressionEnd(text, position) : literalEnd(text, position)
    parts.push(
      isExpression
        ? parseExpression(text.slice(position + 1, end - 1), position)
        : { position, text: encodeReserved(text.slice(position, end)) },
    )
    position = end
  }
  return parts
}

/** Tells the two kinds of {@link Part} apart. */
export function isExpression(part: Part): part is Expression {
  return 'operator' in part
}

// the `'` is the grammar's by erratum, and its own examples use it
const literals = /(?:[!#$&-;=?-[\]_a-z~\u{a0}-\u{d7ff}\u{e000}-\u{10ffff}]|%[0-9A-Fa-f]{2})*/uy
const variable = /^((?:\w|%[0-9A-Fa-f]{2})(?:\.?(?:\w|%[0-9A-Fa-f]{2}))*)(?:(\*)|:([1-9][0-9]{0,3}))?$/

function literalEnd(text: string, position: number): number {
  literals.lastIndex = position
  literals.test(text)
  const end = literals.lastIndex
  if (end < text.length && text[end] !== '{') {
    const character = String.fromCodePoint(text.codePointAt(end) ?? 0)
    throw new TemplateError('parse', end, `${JSON.stringify(character)} is not allowed outside an expression`)
  }
  return end
}

function expressionEnd(text: string, position: number): number {
  const close = text.indexOf('}', position)
  if (close === -1) throw new TemplateError('parse', position, 'the expression has no closing brace')
  return close + 1
}

function parseExpression(body: string, position: number): Expression {
  const symbol = operators.has(body.charAt(0)) ? body.charAt(0) : ''
  const operator = operators.get(symbol) as Operator
  let start = position + 1 + symbol.length
  const variables = body
    .slice(symbol.length)
    .split(',')
    .map((text) => {
      const parsed = parseVariable(text, start)
      start += text.length + 1
      return parsed
    })
  return { position, operator, variables }
}

function parseVariable(text: string, position: number): Variable {
  const [, name, explode, prefix] = variable.exec(text) ?? []
  if (name === undefined) throw new TemplateError('parse', position, `${JSON.stringify(text)} is not a variable`)
  return { name, explode: explode !== undefined, prefix: prefix === undefined ? undefined : Number(prefix) }
}
