import { type Fields, isObject } from '../wire/messages.ts'
import { SchemaError } from './json-schema/schema-error.ts'
import { spreadReference } from './local-reference.ts'

/** The schema with `type: "object"` at its root, as the protocol requires; `what` is for the error message. */
export function objectSchema(json: Fields, what: string): Fields {
  if (json.type === 'object') return json
  if (describesObject(json, json)) return { ...json, type: 'object' }
  throw new SchemaError(
    `Cannot use ${what}: its schema allows other values than objects; put the value into an object, as in { value: … }`,
  )
}

/** True if a schema allows objects only. */
function describesObject(schema: unknown, root: Fields, depth = 0): boolean {
  if (!isObject(schema) || depth > maxDepth) return schema === true
  const { type, anyOf, oneOf, allOf, enum: options, const: only = {} } = spreadReference(schema, root)
  if ((type !== undefined && type !== 'object') || !isObject(only)) return false
  if (Array.isArray(options) && !options.every(isObject)) return false
  return [anyOf, oneOf, allOf].every(
    (branches) => !Array.isArray(branches) || branches.every((branch) => describesObject(branch, root, depth + 1)),
  )
}

const maxDepth = 32
