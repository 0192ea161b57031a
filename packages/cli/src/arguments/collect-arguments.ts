import type { Fields } from '@trunkline/mcp/client'
import { usageFailure } from '../failure/failure.ts'
import { parseJson, type TypedArgument, type TypedArguments } from './argument-words.ts'
import { isFields } from './describe-arguments.ts'
import { textToValue } from './text-to-value.ts'

/** The arguments of a call: what was typed, read as the schema wants it. */
export function collectArguments({ single, whole = {} }: TypedArguments, schema: Fields): Fields {
  const collected: { [name: string]: unknown } = { ...whole }
  const given = new Set(Object.keys(whole))
  for (const argument of single) {
    const [name, ...inner] = pathOf(argument.name, schema)
    const at = propertyOf(schema, name)
    const value = valueAt(argument, inner, at)
    const before = Object.hasOwn(collected, name) ? collected[name] : undefined
    const isRepeated = given.has(name) && inner.length === 0
    if (isRepeated && !(Array.isArray(before) && Array.isArray(value)))
      throw usageFailure(`Cannot use argument "${argument.name}" twice: it takes one value`)
    given.add(name)
    define(collected, name, joined(before, value))
  }
  return collected
}

/** `a.b` means a member of `a`, unless there is an argument of that very name. */
function pathOf(written: string, schema: Fields): readonly [string, ...string[]] {
  const names = written.split('.')
  const [first = '', ...rest] = names
  const isNested = rest.length > 0 && !hasProperty(schema, written) && hasProperty(schema, first)
  return isNested ? [first, ...rest] : [written]
}

function valueAt({ name, text, isJson }: TypedArgument, path: readonly string[], schema: Fields): unknown {
  const [first, ...rest] = path
  if (first !== undefined) {
    const inner: { [name: string]: unknown } = {}
    define(inner, first, valueAt({ name, text, isJson }, rest, propertyOf(schema, first)))
    return inner
  }
  return isJson ? parseJson(text, `argument "${name}"`) : textToValue(text, schema, name)
}

/** Repeated arguments make one list, and members make one object. */
function joined(before: unknown, value: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(value)) return [...before, ...value]
  if (!isFields(before) || !isFields(value)) return value
  const both: { [name: string]: unknown } = { ...before }
  for (const [name, member] of Object.entries(value)) define(both, name, joined(both[name], member))
  return both
}

// a name such as "__proto__" is an argument like any other
function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
}

function hasProperty({ properties }: Fields, name: string): boolean {
  return isFields(properties) && Object.hasOwn(properties, name)
}

function propertyOf(schema: Fields, name: string): Fields {
  const property = hasProperty(schema, name) ? (schema.properties as Fields)[name] : undefined
  return isFields(property) ? property : {}
}
