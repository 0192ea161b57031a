import type { Fields } from '@trunkline/mcp'
import { isObject } from './read-document.ts'
import { valueAt } from './references.ts'

/** Turns schemas of an API's description into JSON Schema that stands alone: what is referred to comes along, circles too. */
export class SchemaCopier {
  readonly #root: Fields
  readonly #isOld: boolean
  readonly #definitions: { [name: string]: Fields | boolean } = {}
  readonly #names = new Map<string, string>()

  constructor(root: Fields) {
    this.#root = root
    this.#isOld = String(root.openapi).startsWith('3.0')
  }

  /** The schema as it stands in a tool; what it refers to is in {@link definitions}. */
  copy(schema: unknown): Fields | boolean {
    if (typeof schema === 'boolean') return schema
    if (!isObject(schema)) return {}
    if (typeof schema.$ref === 'string') return { $ref: `#/$defs/${this.#define(schema.$ref)}` }
    const copied = Object.fromEntries(
      Object.entries(schema).flatMap(([keyword, value]) =>
        dropped.has(keyword) ? [] : [[keyword, this.#member(keyword, value)]],
      ),
    )
    // JSON carries no bytes
    if (copied.format === 'binary') return { description: 'Bytes, as base64', ...withoutFormat(copied) }
    return this.#isOld ? modernised(copied, schema) : copied
  }

  /** Schemas that the copied ones refer to, for the `$defs` of a tool. */
  get definitions(): Fields {
    return Object.keys(this.#definitions).length > 0 ? { $defs: this.#definitions } : {}
  }

  #define(reference: string): string {
    const known = this.#names.get(reference)
    if (known !== undefined) return known
    const base = (reference.split('/').at(-1) ?? '').replace(/[^\w.-]/g, '_') || 'schema'
    const taken = new Set(this.#names.values())
    let name = base
    for (let at = 2; taken.has(name); at++) name = `${base}_${at}`
    // known before it is copied, so that a schema may contain itself
    this.#names.set(reference, name)
    this.#definitions[name] = this.copy(valueAt(this.#root, reference))
    return name
  }

  #member(keyword: string, value: unknown): unknown {
    if (ofSchemas.has(keyword) && isObject(value))
      return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, this.copy(schema)]))
    if (listsOfSchemas.has(keyword) && Array.isArray(value)) return value.map((schema) => this.copy(schema))
    if (aSchema.has(keyword) && (isObject(value) || typeof value === 'boolean')) return this.copy(value)
    return value
  }
}

const ofSchemas = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs'])
const listsOfSchemas = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const aSchema = new Set([
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedProperties',
])
/** Keywords that do not constrain values. */
const dropped = new Set(['discriminator', 'xml', 'externalDocs', 'example', 'examples', '$schema', '$id'])

function withoutFormat({ format: _bytes, ...schema }: Fields): Fields {
  return { ...schema, type: 'string', contentEncoding: 'base64' }
}

/** Turns keywords of OpenAPI 3.0 into those of JSON Schema. */
function modernised(
  { nullable, exclusiveMinimum, exclusiveMaximum, ...schema }: Fields,
  { minimum, maximum }: Fields,
): Fields {
  const { minimum: least, maximum: most, ...rest } = schema
  const bounds = {
    ...(least !== undefined && (exclusiveMinimum === true ? { exclusiveMinimum: minimum } : { minimum })),
    ...(most !== undefined && (exclusiveMaximum === true ? { exclusiveMaximum: maximum } : { maximum })),
  }
  const bounded = { ...rest, ...bounds }
  if (nullable !== true) return bounded
  const { enum: values, type, ...others } = bounded as Fields
  if (typeof type !== 'string') return { anyOf: [bounded, { type: 'null' }] }
  return { ...others, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...new Set([...values, null])] }) }
}
