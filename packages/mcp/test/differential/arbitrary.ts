import fc, { type Arbitrary } from 'fast-check'

/** A JSON Schema as far as the official ones go. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown }
type Keywords = { readonly [keyword: string]: unknown }
/** Targets of the references of a schema. */
export type Definitions = { readonly [name: string]: JsonSchema }

/** Strings that mean something beyond being strings, so that a check of formats accepts them. */
const meaningful: { readonly [property: string]: string } = {
  blob: 'aGVsbG8=',
  data: 'aGVsbG8=',
  lastModified: '2026-07-28T12:00:00Z',
  uri: 'file:///home/readme.md',
  url: 'https://example.com/form',
}

const anyJson = fc.jsonValue({ maxDepth: 1 })

/** Values that fit a JSON Schema, made from the schema itself. */
export function arbitrary(schema: JsonSchema, definitions: Definitions, property = ''): Arbitrary<unknown> {
  const make = (inner: JsonSchema, name = property) => arbitrary(inner, definitions, name)
  const keywords = keywordsOf(schema, definitions)
  const { anyOf, oneOf, ...rest } = keywords
  const { const: constant, enum: values, type } = keywords
  const choices = anyOf ?? oneOf
  if (constant !== undefined) return fc.constant(constant)
  if (Array.isArray(values)) return fc.constantFrom(...values)
  if (Array.isArray(choices)) return fc.oneof(...choices.map((choice) => make({ allOf: [rest, choice] })))
  if (Array.isArray(type)) return fc.oneof(...type.map((each) => make({ ...keywords, type: each })))
  if (type === 'object' || keywords.properties !== undefined) return objects(keywords, make)
  if (type === 'array') return fc.array(make((keywords.items ?? true) as JsonSchema), { maxLength: 2 })
  return scalars(keywords, property)
}

function objects(keywords: Keywords, make: (schema: JsonSchema, name: string) => Arbitrary<unknown>) {
  const properties = Object.entries((keywords.properties ?? {}) as Definitions)
  const model = Object.fromEntries(properties.map(([name, inner]) => [name, make(inner, name)]))
  const requiredKeys = (keywords.required ?? []) as string[]
  const known: Arbitrary<object> = fc.record(model, { requiredKeys, noNullPrototype: true })
  const others = (keywords.additionalProperties ?? true) as JsonSchema
  const isOpen = others === true || Object.keys(others).length === 0
  if (isOpen && properties.length > 0) return known
  const values = isOpen ? anyJson : make(others, '')
  const extra = fc.dictionary(fc.constantFrom('a', 'b-c', '__d'), values, { maxKeys: 2, noNullPrototype: true })
  return fc.tuple(extra, known).map(([more, rest]) => ({ ...more, ...rest }))
}

function scalars({ type, minimum, maximum }: Keywords, property: string): Arbitrary<unknown> {
  const bounds = { min: (minimum as number) ?? -1e6, max: (maximum as number) ?? 1e6 }
  if (type === 'string') return property in meaningful ? fc.constant(meaningful[property]) : fc.string({ maxLength: 5 })
  if (type === 'integer') return fc.integer(bounds)
  if (type === 'number') return fc.double({ ...bounds, noNaN: true })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  return anyJson
}

/** One set of keywords for a schema that is made of references and conjunctions. */
export function keywordsOf(schema: JsonSchema, definitions: Definitions): Keywords {
  if (typeof schema === 'boolean') return {}
  const { $ref, allOf = [], ...own } = schema
  const referred = typeof $ref === 'string' ? [resolve($ref, definitions)] : []
  return [...referred, ...(allOf as JsonSchema[])].map((part) => keywordsOf(part, definitions)).reduce(both, own)
}

function both(one: Keywords, other: Keywords): Keywords {
  const properties: { [name: string]: JsonSchema } = { ...(one.properties as Definitions) }
  for (const [name, inner] of Object.entries((other.properties ?? {}) as Definitions)) {
    const had = properties[name]
    properties[name] = had === undefined ? inner : { allOf: [had, inner] }
  }
  const required = [...((one.required ?? []) as string[]), ...((other.required ?? []) as string[])]
  const isObject = one.properties !== undefined || other.properties !== undefined
  return { ...one, ...other, required, ...(isObject && { properties }) }
}

/** Follows a reference such as `#/$defs/Tool`, from its third step on. */
function resolve(reference: string, definitions: Definitions): JsonSchema {
  const steps = reference.split('/').slice(2)
  return steps.reduce<unknown>((node, step) => (node as Keywords)[step], definitions) as JsonSchema
}
