import { firstCharacters } from './encoding.ts'
import { type Expression, isExpression, type Part, type Variable } from './parse.ts'
import { TemplateError } from './template-error.ts'

type Scalar = string | number | boolean | null | undefined

/** Values that a variable can be expanded with; null, undefined and an empty list or map leave it out. */
export type ExpansionValue = Scalar | readonly Scalar[] | { readonly [key: string]: Scalar }

/** Values by the name of their variable; only own properties count. */
export type ExpansionValues = { readonly [name: string]: ExpansionValue }

/** Expands the parts with values, up to `maxUriLength`. */
export function expandParts(parts: readonly Part[], values: ExpansionValues, maxUriLength: number): string {
  let uri = ''
  for (const part of parts) {
    uri += isExpression(part) ? expandExpression(part, values) : part.text
    if (uri.length > maxUriLength)
      throw new TemplateError('expand', part.position, `the URI has more than ${maxUriLength} characters`)
  }
  return uri
}

function expandExpression(expression: Expression, values: ExpansionValues): string {
  const { operator, variables, position } = expression
  try {
    const items = variables.flatMap((variable) =>
      expandVariable(expression, variable, Object.hasOwn(values, variable.name) ? values[variable.name] : undefined),
    )
    return items.length === 0 ? '' : operator.lead + items.join(operator.separator)
  } catch (error) {
    if (error instanceof URIError) throw new TemplateError('expand', position, 'a value holds a lone surrogate')
    throw error
  }
}

function expandVariable({ operator, position }: Expression, variable: Variable, value: ExpansionValue): string[] {
  const { encode, named, afterEmpty } = operator
  const pair = (name: string, text: string) => name + (text === '' ? afterEmpty : `=${text}`)
  const withName = (text: string) => (named ? pair(variable.name, text) : text)
  const encodeAll = (members: readonly Scalar[]) => members.map((member) => encode(String(member)))

  if (!isDefined(value)) return []
  if (typeof value !== 'object')
    return [withName(encode(firstCharacters(String(value), variable.prefix ?? Number.POSITIVE_INFINITY)))]
  if (variable.prefix !== undefined)
    throw new TemplateError('expand', position, `"${variable.name}" has a prefix, but its value is a list or map`)

  if (isList(value)) {
    const items = encodeAll(value.filter(isDefined))
    if (variable.explode) return items.map(withName)
    return items.length === 0 ? [] : [withName(items.join(','))]
  }
  const entries = Object.entries(value)
    .filter(([, member]) => isDefined(member))
    .map(encodeAll)
  if (variable.explode) return entries.map(([key = '', text = '']) => (named ? pair(key, text) : `${key}=${text}`))
  return entries.length === 0 ? [] : [withName(entries.flat().join(','))]
}

function isDefined<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null
}

function isList(value: object): value is readonly Scalar[] {
  return Array.isArray(value)
}
