import type { Fields } from '@trunkline/mcp'
import { nearName } from '@trunkline/mcp/json-schema'
import { branches, fieldsOf, typeOf, typesOf, typeWords, type ValueShape } from './shape.ts'
import { Validators } from './validators.ts'

/** Place where a value does not fit, and what was expected there. */
export interface Mismatch {
  readonly at: string
  readonly message: string
}

/** Depth to which values are compared with schemas; deeper ones are only checked when the plan runs. */
const maxDepth = 16

/** The ways in which a value of a shape can never fit a schema; one that may fit is checked again when it is there. */
export function mismatches(shape: ValueShape, schema: unknown, root = schema, at = '', depth = 0): readonly Mismatch[] {
  if (depth > maxDepth || schema === true) return []
  const alternatives = branches(schema, root)
  const tried = alternatives.map((one) => against(shape, one, { root, at, depth }))
  if (tried.some((problems) => problems.length === 0)) return []
  return tried.length === 1 ? (tried[0] ?? []) : [{ at, message: noneOf(shape, alternatives) }]
}

interface Place {
  readonly root: unknown
  readonly at: string
  readonly depth: number
}

function against(shape: ValueShape, schema: unknown, place: Place): readonly Mismatch[] {
  const { at, root, depth } = place
  if (schema === false) return [{ at, message: 'must not be given' }]
  const { allOf } = fieldsOf(schema)
  const more = Array.isArray(allOf) ? allOf.flatMap((one) => mismatches(shape, one, root, at, depth + 1)) : []
  return [...more, ...byKind(shape, fieldsOf(schema), place)]
}

function byKind(shape: ValueShape, schema: Fields, place: Place): readonly Mismatch[] {
  const { at, root, depth } = place
  if (shape.kind === 'either') {
    const tried = shape.shapes.map((one) => mismatches(one, schema, root, at, depth + 1))
    return tried.length > 0 && tried.every((problems) => problems.length > 0) ? (tried[0] ?? []) : []
  }
  if (shape.kind === 'schema') {
    const tried = branches(shape.schema, shape.root).map((one) => ofSchema(one, shape.root, schema, place))
    return tried.every((problems) => problems.length > 0) ? (tried[0] ?? []) : []
  }
  const wrong = wrongType(typesOfShape(shape), schema, at)
  if (wrong) return [wrong]
  if (shape.kind === 'value') return ofValue(shape.value, schema, place)
  if (shape.kind === 'object') return ofMembers(shape.members, schema, place)
  if (shape.kind === 'each') return ofItems([shape.item], schema, place)
  return ofItems(shape.items, schema, place)
}

function typesOfShape({ kind, ...shape }: ValueShape): readonly string[] {
  if (kind === 'value') return [typeOf((shape as { readonly value: unknown }).value)]
  return [kind === 'object' ? 'object' : 'array']
}

function wrongType(types: readonly string[] | undefined, schema: Fields, at: string): Mismatch | undefined {
  const wanted = typesOf(schema)
  if (!types || !wanted) return undefined
  const fits = (type: string) =>
    wanted.includes(type) ||
    (type === 'integer' && wanted.includes('number')) ||
    (type === 'number' && wanted.includes('integer'))
  if (types.some(fits)) return undefined
  return { at, message: `expects ${typeWords(wanted)}, and gets ${typeWords(types)}` }
}

/** A value that is known now is held against all that its schema says. */
function ofValue(value: unknown, schema: Fields, place: Place): readonly Mismatch[] {
  if (Array.isArray(value)) {
    return ofItems(
      value.map((item) => ({ kind: 'value', value: item })),
      schema,
      place,
    )
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => [name, { kind: 'value', value: member }] as const)
    return ofMembers(new Map(members), schema, place)
  }
  const validators = new Validators()
  const part = scalarPart(schema)
  // the call reports a schema that cannot be read
  const problem = validators.unreadable(part) === undefined ? validators.problemOf(part, value) : undefined
  return problem === undefined ? [] : [{ at: place.at, message: problem }]
}

const scalarKeywords = [
  ...['type', 'enum', 'const', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'format'],
]

function scalarPart(schema: Fields): Fields {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => scalarKeywords.includes(keyword)))
}

function ofMembers(
  members: ReadonlyMap<string, ValueShape>,
  schema: Fields,
  { at, root, depth }: Place,
): readonly Mismatch[] {
  const { required, properties, additionalProperties = true, patternProperties } = schema
  const known = fieldsOf(properties)
  const missing = (Array.isArray(required) ? required : [])
    .filter((name) => !members.has(name))
    .map((name) => ({ at: join(at, name), message: `is missing; it expects ${typeWords(typesOf(known[name]))}` }))
  const wrong = [...members].flatMap(([name, shape]) => {
    if (Object.hasOwn(known, name)) return mismatches(shape, known[name], root, join(at, name), depth + 1)
    if (patternProperties !== undefined) return []
    if (additionalProperties !== false) return mismatches(shape, additionalProperties, root, join(at, name), depth + 1)
    const near = nearName(name, Object.keys(known))
    return [{ at: join(at, name), message: `is not known${near === undefined ? '' : `; did you mean "${near}"?`}` }]
  })
  return [...missing, ...wrong]
}

function ofItems(items: readonly ValueShape[], schema: Fields, { at, root, depth }: Place): readonly Mismatch[] {
  const { items: every = true, prefixItems } = schema
  const places = Array.isArray(prefixItems) ? prefixItems : []
  return items.flatMap((item, index) => mismatches(item, places[index] ?? every, root, `${at}[${index}]`, depth + 1))
}

/** A described value: only members that every value of that description has are compared with the schema. */
function ofSchema(source: unknown, sourceRoot: unknown, schema: Fields, place: Place): readonly Mismatch[] {
  const { at, root, depth } = place
  const wrong = wrongType(typesOf(source), schema, at)
  if (wrong) return [wrong]
  const { properties, required, items, enum: some, additionalProperties } = fieldsOf(source)
  const values = Array.isArray(some) ? some : undefined
  if (values?.every((value) => ofValue(value, schema, place).length > 0))
    return [
      {
        at,
        message: `expects ${JSON.stringify(schema.enum ?? schema.const ?? schema.type)}, and gets one of ${JSON.stringify(values)}`,
      },
    ]
  const described = (one: unknown): ValueShape => ({ kind: 'schema', schema: one, root: sourceRoot })
  if (items !== undefined) return ofItems([described(items)], { items: schema.items }, place)
  const had = fieldsOf(properties)
  const certain = (Array.isArray(required) ? required : []).filter((name) => Object.hasOwn(had, name))
  const wanted = fieldsOf(schema.properties)
  const lacking = additionalProperties === false && Array.isArray(schema.required) ? schema.required : []
  return [
    ...lacking
      .filter((name) => !Object.hasOwn(had, name))
      .map((name) => ({ at: join(at, name), message: 'is missing' })),
    ...certain
      .filter((name) => Object.hasOwn(wanted, name))
      .flatMap((name) => mismatches(described(had[name]), wanted[name], root, join(at, name), depth + 1)),
  ]
}

function noneOf(shape: ValueShape, alternatives: readonly unknown[]): string {
  const wanted = [...new Set(alternatives.flatMap((one) => typesOf(one) ?? []))]
  const types =
    shape.kind === 'schema' ? typesOf(shape.schema) : shape.kind === 'either' ? undefined : typesOfShape(shape)
  return `fits none of its ${alternatives.length} alternatives: expects ${typeWords(wanted)}, and gets ${typeWords(types)}`
}

function join(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`
}
