import { type Fields, isObject } from '../wire/messages.ts'
import { choicesOf, encodeChoices, namedEnum } from './form-choices.ts'
import { type Variant, variantsOf } from './form-variants.ts'
import { SchemaError } from './json-schema/schema-error.ts'
import { spreadReference } from './local-reference.ts'

/**
 * Turns a JSON Schema into one the protocol can ask people with: a flat object of simple fields. Constraints that forms
 * do not know are left out, since the whole schema checks the answer afterwards.
 */
export function formSchema(json: Fields): Fields {
  const { type, properties = {}, required = [] } = spreadReference(json, json)
  if (type !== 'object' || !isObject(properties))
    throw new SchemaError('Cannot make a form of the schema: its root must be an object with properties')
  const names = Array.isArray(required) ? required.filter((name) => Object.hasOwn(properties, name)) : []
  const fields = Object.entries(properties).map(([name, schema]) => [name, toField(name, schema, json)])
  return { type: 'object', properties: Object.fromEntries(fields), ...(names.length > 0 && { required: names }) }
}

function toField(name: string, schema: unknown, root: Fields): Fields {
  const variants = isObject(schema) ? variantsOf(schema, root) : []
  const [first, ...others] = variants
  if (!first || !isObject(schema)) return refuse(name, unclear)
  const labels = pick(spreadReference(schema, root), ['title', 'description', 'default'])
  // of several schemas for one kind of value no single one may be demanded
  const known = others.length === 0 ? { ...first.schema, ...labels } : labels
  const choices = choicesOf(variants)
  if (choices)
    return { type: 'string', ...label(known, 'string'), ...(namedEnum(known) ?? encodeChoices(choices, 'oneOf')) }
  const kind = commonKind(variants)
  switch (kind) {
    case 'string':
      return { type: kind, ...label(known, 'string'), ...pick(known, ['minLength', 'maxLength']), ...pickFormat(known) }
    case 'number':
    case 'integer':
      return { type: kind, ...label(known, 'number'), ...bounds(known, variants) }
    case 'boolean':
      return { type: kind, ...label(known, 'boolean') }
    case 'array':
      return {
        type: kind,
        ...label(known, 'object'),
        ...pick(known, ['minItems', 'maxItems']),
        ...items(name, known, root),
      }
    case 'object':
      return refuse(name, 'forms have no nested objects; make its members fields of their own')
    default:
      if (others.length === 0 && !first.values) return refuse(name, unclear)
      return refuse(name, 'its values are of different kinds; decide for strings, numbers or booleans, or for an enum')
  }
}

const unclear = 'its schema does not say what it is'

/** The one kind of all variants; integers are numbers if they have to be. */
function commonKind(variants: readonly Variant[]): string | undefined {
  const kinds = new Set(variants.map(({ kind }) => kind))
  if (kinds.size === 2 && kinds.has('number')) kinds.delete('integer')
  return kinds.size === 1 ? [...kinds][0] : undefined
}

/** What a field is called and begins with; a default of another type would be none for a form. */
function label(known: Fields, type: 'string' | 'number' | 'boolean' | 'object'): Fields {
  const usable = typeof known.default === type && known.default !== null
  return pick(known, usable ? ['title', 'description', 'default'] : ['title', 'description'])
}

function pickFormat({ format }: Fields): Fields {
  return typeof format === 'string' && formats.has(format) ? { format } : {}
}

const formats = new Set(['email', 'uri', 'date', 'date-time'])

/** The range of a number, or that of the numbers to choose from. */
function bounds(known: Fields, variants: readonly Variant[]): Fields {
  const numbers = variants.flatMap(({ values = [] }) => values.map(Number))
  const isChoice = variants.every(({ values }) => values)
  const { minimum, maximum } = isChoice ? { minimum: Math.min(...numbers), maximum: Math.max(...numbers) } : known
  return {
    // a bound that every integer keeps would only puzzle people
    ...(isBound(minimum) && { minimum }),
    ...(isBound(maximum) && { maximum }),
  }
}

function isBound(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER
}

function items(name: string, { items }: Fields, root: Fields): Fields {
  const choices = isObject(items) ? choicesOf(variantsOf(items, root)) : undefined
  if (!choices) return refuse(name, 'forms have lists only to choose from; make its items an enum of strings')
  const options = encodeChoices(choices, 'anyOf')
  return { items: 'enum' in options ? { type: 'string', ...options } : options }
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]))
}

function refuse(name: string, reason: string): never {
  throw new SchemaError(`Cannot ask for "${name}" in a form: ${reason}`)
}
