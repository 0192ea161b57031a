import { type ExpansionValues, expandParts } from './expand.ts'
import { matcher } from './match.ts'
import { isExpression, parseParts } from './parse.ts'
import type { TemplateValues } from './read-variables.ts'

export type { ExpansionValue, ExpansionValues } from './expand.ts'
export type { TemplateValue, TemplateValues } from './read-variables.ts'
export { TemplateError } from './template-error.ts'

/** A URI template, all four levels of RFC 6570, which can also be read backwards. */
export interface UriTemplate {
  /** Every variable once, in the order of the template. */
  readonly variables: readonly string[]
  /** The URI with these values; throws a `TemplateError` when a value does not fit its expression. */
  expand(values: ExpansionValues): string
  /**
   * The values that expand to this URI, apart from its encoding and the order of pairs, or undefined when none do.
   *
   * Where several do, each expression, from the left, is present if it can be, takes every pair it knows by name,
   * and otherwise takes as few characters as the rest allows; one without an operator or with `+` takes at least one.
   */
  match(uri: string): TemplateValues | undefined
}

/** Limits to the size of templates and URIs. */
export interface TemplateOptions {
  /** The longest URI to match or to make, in bytes. @default 8192 */
  readonly maxUriLength?: number
  /** The longest template to parse. @default 8192 */
  readonly maxTemplateLength?: number
  /** The most expressions a template may have. @default 100 */
  readonly maxExpressions?: number
}

const defaults = {
  maxUriLength: 8192,
  maxTemplateLength: 8192,
  maxExpressions: 100,
} as const satisfies Required<TemplateOptions>

/** Parses a URI template; throws a `TemplateError` with the position of what it cannot parse. */
export function parseTemplate(text: string, options: TemplateOptions = {}): UriTemplate {
  const {
    maxUriLength = defaults.maxUriLength,
    maxTemplateLength = defaults.maxTemplateLength,
    maxExpressions = defaults.maxExpressions,
  } = options
  const parts = parseParts(text, { maxTemplateLength, maxExpressions })
  const names = parts.filter(isExpression).flatMap(({ variables }) => variables.map(({ name }) => name))
  return {
    variables: [...new Set(names)],
    expand: (values) => expandParts(parts, values, maxUriLength),
    match: matcher(parts, maxUriLength),
  }
}
