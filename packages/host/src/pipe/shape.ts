import type { Fields } from '@trunkline/mcp'
import type { Template } from './plan.ts'
import { nodeOf } from './template.ts'

/** Knowledge of a value before it exists. */
export type ValueShape =
  /** It fits a schema, whose references are into `root`. */
  | { readonly kind: 'schema'; readonly schema: unknown; readonly root: unknown }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, ValueShape> }
  | { readonly kind: 'list'; readonly items: readonly ValueShape[] }
  | { readonly kind: 'each'; readonly item: ValueShape }
  | { readonly kind: 'either'; readonly shapes: readonly ValueShape[] }

/** Reason why there is nothing at a place. */
export interface NothingThere {
  readonly missing: string
}

export const anything: ValueShape = { kind: 'schema', schema: true, root: true }
export const someText: ValueShape = { kind: 'schema', schema: { type: 'string' }, root: true }

/** The shape of values that fit a schema. */
export function shapeOfSchema(schema: unknown): ValueShape {
  return { kind: 'schema', schema, root: schema }
}

/** The shape of a template, once its references are filled in. */
export function shapeOfTemplate(template: Template, find: (pointer: string) => ValueShape): ValueShape {
  const node = nodeOf(template)
  switch (node.kind) {
    case 'from':
      return find(node.pointer)
    case 'text':
      return someText
    case 'list':
      return { kind: 'list', items: node.items.map((item) => shapeOfTemplate(item, find)) }
    case 'object': {
      const members = node.members.map(([name, member]) => [name, shapeOfTemplate(member, find)] as const)
      return { kind: 'object', members: new Map(members) }
    }
    default:
      return node.kind === 'value' ? { kind: 'value', value: node.value } : anything
  }
}

/** The shape of a member or an item, or why there certainly is none. */
export function shapeAt(shape: ValueShape, token: string): ValueShape | NothingThere {
  switch (shape.kind) {
    case 'schema':
      return schemaAt(shape, token)
    case 'each':
      return /^\d+$/.test(token) ? shape.item : { missing: `it is a list, and "${token}" is no place in one` }
    case 'list':
      return shape.items[Number(token)] ?? { missing: `it is a list of ${shape.items.length} items` }
    case 'object':
      return shape.members.get(token) ?? { missing: `it has ${namesOf(shape.members.keys())}` }
    case 'either':
      return eitherAt(shape.shapes, token)
    default:
      return Object.hasOwn(Object(shape.value), token)
        ? { kind: 'value', value: (shape.value as Fields)[token] }
        : { missing: 'there is no such member' }
  }
}

/** The shape of the items of a list; undefined when it certainly is no list. */
export function shapeOfItems(shape: ValueShape): ValueShape | undefined {
  if (shape.kind === 'each') return shape.item
  if (shape.kind === 'list') return { kind: 'either', shapes: shape.items }
  if (shape.kind === 'value') return Array.isArray(shape.value) ? anything : undefined
  if (shape.kind === 'object') return undefined
  if (shape.kind === 'either') {
    const found = shape.shapes.flatMap((one) => shapeOfItems(one) ?? [])
    return found.length > 0 ? { kind: 'either', shapes: found } : undefined
  }
  const found = branches(shape.schema, shape.root).filter((one) => mayBe(one, 'array'))
  if (found.length === 0) return undefined
  return { kind: 'either', shapes: found.map((one) => ({ ...shape, schema: fieldsOf(one).items ?? true })) }
}

function eitherAt(shapes: readonly ValueShape[], token: string): ValueShape | NothingThere {
  const found = shapes.map((one) => shapeAt(one, token))
  const there = found.filter((one): one is ValueShape => !('missing' in one))
  if (there.length > 0) return there.length === 1 ? (there[0] as ValueShape) : { kind: 'either', shapes: there }
  return found[0] ?? anything
}

function schemaAt(shape: ValueShape & { readonly kind: 'schema' }, token: string): ValueShape | NothingThere {
  const { root } = shape
  const found = branches(shape.schema, root).map((one): ValueShape | NothingThere => {
    const { properties, items, prefixItems, additionalProperties, patternProperties } = fieldsOf(one)
    const known = fieldsOf(properties)
    if (Object.hasOwn(known, token)) return { kind: 'schema', schema: known[token], root }
    if (mayBe(one, 'array') && /^\d+$/.test(token)) {
      const place = Array.isArray(prefixItems) ? prefixItems[Number(token)] : undefined
      return { kind: 'schema', schema: place ?? items ?? true, root }
    }
    if (!mayBe(one, 'object')) return { missing: `it is ${typeWords(typesOf(one))}` }
    if (additionalProperties === false && patternProperties === undefined)
      return { missing: `it has ${namesOf(Object.keys(known))}` }
    return { kind: 'schema', schema: additionalProperties ?? true, root }
  })
  const there = found.filter((one): one is ValueShape => !('missing' in one))
  if (there.length > 0) return there.length === 1 ? (there[0] as ValueShape) : { kind: 'either', shapes: there }
  return found[0] ?? anything
}

/** Depth to which references and alternatives are followed. */
const maxHops = 16

/** The alternatives that a schema allows, with references followed; one that cannot be followed allows anything. */
export function branches(schema: unknown, root: unknown, hops = 0): readonly unknown[] {
  const { $ref, anyOf, oneOf, ...rest } = fieldsOf(schema)
  if (hops > maxHops) return [true]
  if (typeof $ref === 'string') return branches(localReference($ref, root), root, hops + 1)
  const several = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined
  if (!several) return [schema]
  return several.flatMap((one) => branches(one, root, hops + 1)).map((one) => ({ ...rest, ...fieldsOf(one) }))
}

function localReference(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#')) return true
  let found: unknown = root
  for (const part of reference.slice(1).split('/').slice(1)) {
    found = fieldsOf(found)[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return found ?? true
}

/** The types that a schema allows; undefined for any. */
export function typesOf(schema: unknown): readonly string[] | undefined {
  const { type, const: only, enum: some } = fieldsOf(schema)
  if (typeof type === 'string') return [type]
  if (Array.isArray(type)) return type
  if (only !== undefined) return [typeOf(only)]
  return Array.isArray(some) ? [...new Set(some.map(typeOf))] : undefined
}

/** The type of a value, as schemas call it. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

function mayBe(schema: unknown, type: string): boolean {
  return schema !== false && (typesOf(schema)?.includes(type) ?? true)
}

/** Types as words. */
export function typeWords(types: readonly string[] | undefined): string {
  return types === undefined ? 'anything' : types.join(' or ')
}

function namesOf(names: Iterable<string>): string {
  const all = [...names].slice(0, 20).map((name) => `"${name}"`)
  return all.length === 0 ? 'no members' : all.join(', ')
}
