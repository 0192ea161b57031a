import { type Fields, isObject } from '../wire/messages.ts'
import { choicesOf, encodeChoices, namedEnum } from './form-choices.ts'
import { type Variant, variantsOf } from './form-variants.ts'
import { SchemaError } from './json-schema/schema-error.ts'
import { spreadReference } from './local-reference.ts'

/**
 * Converts a JSON Schema to a form: a flat object of simple fields. Constraints that forms do not have are left out;
 * the whole schema checks the answer.
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
  // with several schemas for one type none of them may be required
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
      return refuse(name, 'forms cannot contain nested objects; make its members top-level fields')
    default:
      if (others.length === 0 && !first.values) return refuse(name, unclear)
      return refuse(name, 'its values have different types; use strings, numbers, booleans or an enum')
  }
}

const unclear = 'its schema does not say what it is'

/** The common type of all variants; integers count as numbers where necessary. */
function commonKind(variants: readonly Variant[]): string | undefined {
  const kinds = new Set(variants.map(({ kind }) => kind))
  if (kinds.size === 2 && kinds.has('number')) kinds.delete('integer')
  return kinds.size === 1 ? [...kinds][0] : undefined
}

/** The title, description and default of a field; a default of another type is left out. */
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
    // the bounds of safe integers would only confuse users
    ...(isBound(minimum) && { minimum }),
    ...(isBound(maximum) && { maximum }),
  }
}

function isBound(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER
}

function items(name: string, { items }: Fields, root: Fields): Fields {
  const choices = isObject(items) ? choicesOf(variantsOf(items, root)) : undefined
  if (!choices) return refuse(name, 'a list in a form must be a choice; make its items an enum of strings')
  const options = encodeChoices(choices, 'anyOf')
  return { items: 'enum' in options ? { type: 'string', ...options } : options }
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]))
}

function refuse(name: string, reason: string): never {
  throw new SchemaError(`Cannot ask for "${name}" in a form: ${reason}`)
}
