import { type Fields, isObject } from '../wire/messages.ts'
import { SchemaError } from './json-schema/schema-error.ts'

/** A schema with its local `$ref` replaced by the definition; members beside the reference win. */
export function spreadReference(schema: Fields, root: Fields): Fields {
  let spread = schema
  for (let hops = 0; typeof spread.$ref === 'string'; hops++) {
    if (hops === maxHops) throw new SchemaError(`Cannot resolve $ref "${spread.$ref}": it refers to itself`)
    const { $ref, ...beside } = spread
    spread = { ...find($ref, root), ...beside }
  }
  return spread
}

const maxHops = 32

function find(reference: string, root: Fields): Fields {
  let target: unknown = root
  for (const token of reference.split('/').slice(1)) {
    const name = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')
    target = isObject(target) && Object.hasOwn(target, name) ? target[name] : undefined
  }
  if (reference.startsWith('#') && isObject(target)) return target
  throw new SchemaError(`Cannot resolve $ref "${reference}": the schema has no such definition`)
}
