import { isObject } from '../wire/messages.ts'

/** Names that every object inherits: libraries that read a member without asking whose it is find these. */
const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))

/** True if a JSON Schema names a member that every object inherits, such as "constructor". */
export function namesInherited(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(namesInherited)
  if (!isObject(schema)) return false
  return Object.keys(schema).some((name) => inherited.has(name) || namesInherited(schema[name]))
}

/** The same data in objects that inherit nothing; what is not plain data stays as it is. */
export function withoutInherited(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutInherited)
  if (!isObject(value) || !isPlain(value)) return value
  const copy = Object.create(null) as { [name: string]: unknown }
  for (const name of Object.keys(value)) copy[name] = withoutInherited(value[name])
  return copy
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
