import type { Fields } from '@trunkline/mcp/client'
import { isFields } from '../arguments/describe-arguments.ts'

const deepest = 12

/** A JSON Schema as a type of TypeScript; what the type cannot say is left out, so that it never says too much. */
export function typeOfSchema(schema: unknown, root: Fields = isFields(schema) ? schema : {}, depth = 0): string {
  if (!isFields(schema) || depth > deepest) return 'unknown'
  const inner = (one: unknown): string => typeOfSchema(one, root, depth + 1)
  if (typeof schema.$ref === 'string') return inner(referred(schema.$ref, root))
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literalType))
  if ('const' in schema) return literalType(schema.const)
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return union(choices.map(inner))
  if (Array.isArray(schema.allOf)) return schema.allOf.map((one) => `(${inner(one)})`).join(' & ')
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => inner({ ...schema, type })))
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return `readonly (${inner(schema.items)})[]`
    case 'object':
      return objectType(schema, inner)
    default:
      return isFields(schema.properties) ? objectType(schema, inner) : 'unknown'
  }
}

function objectType(schema: Fields, inner: (one: unknown) => string): string {
  const { properties, required, additionalProperties } = schema
  const names: readonly unknown[] = Array.isArray(required) ? required : []
  const members = Object.entries(isFields(properties) ? properties : {}).map(
    ([name, property]) => `readonly ${memberName(name)}${names.includes(name) ? '' : '?'}: ${inner(property)}`,
  )
  const rest = isFields(additionalProperties) ? inner(additionalProperties) : 'unknown'
  if (members.length === 0)
    return additionalProperties === false ? 'Record<string, never>' : `{ readonly [name: string]: ${rest} }`
  return `{ ${members.join('; ')} }`
}

/** A name as it stands in a type: in quotes unless it is a plain word. */
export function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}

function literalType(value: unknown): string {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value) ? JSON.stringify(value) : 'unknown'
}

function union(types: readonly string[]): string {
  const different = [...new Set(types)]
  return different.length === 0 || different.includes('unknown') ? 'unknown' : different.join(' | ')
}

function referred(reference: string, root: Fields): unknown {
  if (!reference.startsWith('#/')) return undefined
  const names = reference
    .slice(2)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.reduce<unknown>((at, name) => (isFields(at) && Object.hasOwn(at, name) ? at[name] : undefined), root)
}
