/** A JSON Schema as servers send it; nothing of it is trusted to be there or to be right. */
export interface Schema {
  readonly [keyword: string]: unknown
}

/** Kind of control for a value. */
export type ControlKind =
  | 'choice'
  | 'choices'
  | 'boolean'
  | 'number'
  | 'text'
  | 'long text'
  | 'date'
  | 'time'
  | 'file'
  | 'object'
  | 'map'
  | 'array'
  | 'union'
  | 'json'

/** One value to choose, with its title. */
export interface Option {
  readonly value: unknown
  readonly title: string
}

const maxReferences = 20

/** The schema itself, where one stands that points to another in the same document. */
export function resolve(schema: unknown, root: Schema, left = maxReferences): Schema {
  if (!isSchema(schema)) return {}
  const { $ref } = schema
  if (typeof $ref !== 'string' || !$ref.startsWith('#/') || left === 0) return schema
  const target = $ref
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, key) => (isSchema(at) && Object.hasOwn(at, key) ? at[key] : undefined), root)
  const { $ref: _, ...beside } = schema
  return resolve({ ...(isSchema(target) ? target : {}), ...beside }, root, left - 1)
}

export function controlKind(schema: Schema): ControlKind {
  if (optionsOf(schema)) return 'choice'
  const variants = variantsOf(schema)
  if (variants.length > 1) return 'union'
  const type = typeOf(schema)
  if (type === 'array') return optionsOf(isSchema(schema.items) ? schema.items : {}) ? 'choices' : 'array'
  if (type === 'object') return isSchema(schema.properties) ? 'object' : isMapOfTexts(schema) ? 'map' : 'json'
  if (type === 'boolean') return 'boolean'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'string') return textKind(schema)
  return 'json'
}

function isMapOfTexts({ additionalProperties }: Schema): boolean {
  return isSchema(additionalProperties) && additionalProperties.type === 'string'
}

function textKind({ format, contentEncoding, maxLength }: Schema): ControlKind {
  if (contentEncoding === 'base64' || format === 'byte' || format === 'binary') return 'file'
  if (format === 'date') return 'date'
  if (format === 'date-time') return 'time'
  return typeof maxLength === 'number' && maxLength > 200 ? 'long text' : 'text'
}

/** The one type of a schema; one that also allows null counts as its other type. */
export function typeOf({ type, properties }: Schema): string | undefined {
  if (Array.isArray(type)) return type.find((one) => one !== 'null')
  if (typeof type === 'string') return type
  return isSchema(properties) ? 'object' : undefined
}

/** The values of an enumeration; undefined for what is none. */
export function optionsOf(schema: Schema): readonly Option[] | undefined {
  const { enum: values, enumNames: names } = schema
  if (Array.isArray(values)) {
    return values.map((value, index) => ({ value, title: String((Array.isArray(names) && names[index]) || value) }))
  }
  if ('const' in schema) return [{ value: schema.const, title: titleOf(schema, String(schema.const)) }]
  const variants = variantsOf(schema)
  if (variants.length === 0 || !variants.every((one) => 'const' in one)) return undefined
  return variants.map((one) => ({ value: one.const, title: titleOf(one, String(one.const)) }))
}

/** The schemas of which a value may follow one; null is left out, since a value may be left out. */
export function variantsOf({ oneOf, anyOf }: Schema): readonly Schema[] {
  const all = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : []
  return all.filter(isSchema).filter(({ type }) => type !== 'null')
}

export function titleOf({ title }: Schema, otherwise: string): string {
  return typeof title === 'string' && title !== '' ? title : otherwise
}

export function propertiesOf({ properties }: Schema): readonly (readonly [string, unknown])[] {
  return isSchema(properties) ? Object.entries(properties) : []
}

export function isRequired({ required }: Schema, name: string): boolean {
  return Array.isArray(required) && required.includes(name)
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
