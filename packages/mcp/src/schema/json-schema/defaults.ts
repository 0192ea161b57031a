import { type Fields, isObject } from '../../wire/messages.ts'
import { hasMember } from './properties.ts'

/** The same value with the defaults of a schema where something is missing; never the given object, if it changes. */
export type Fill = (value: unknown) => unknown

/**
 * Fills in what `default` says for missing members, through `properties`, `items`, `allOf` and references within the
 * schema; a default is put there as it stands. Nothing for a schema that has no defaults.
 */
export function fillerOf(schema: Fields): Fill | undefined {
  return mentionsDefault(schema, 0) ? new Filler(schema).fill : undefined
}

/** The maximum depth of defaults. */
const mostDepth = 64

function mentionsDefault(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > mostDepth) return false
  return Object.entries(value).some(([name, part]) => name === 'default' || mentionsDefault(part, depth + 1))
}

class Filler {
  readonly #root: Fields

  constructor(root: Fields) {
    this.#root = root
  }

  readonly fill: Fill = (value) => this.#value(value, this.#root, 0)

  #value(value: unknown, schema: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null || !isObject(schema) || depth > mostDepth) return value
    const { $ref, allOf } = schema
    const also = [this.#referred($ref), ...(Array.isArray(allOf) ? allOf : [])]
    const begun = also.reduce((filled, part) => this.#value(filled, part, depth + 1), value) as object
    return Array.isArray(begun) ? this.#items(begun, schema, depth) : this.#members(begun as Fields, schema, depth)
  }

  #items(list: readonly unknown[], { items, prefixItems = [] }: Fields, depth: number): readonly unknown[] {
    const first = Array.isArray(prefixItems) ? prefixItems : []
    const filled = list.map((item, at) => this.#value(item, at < first.length ? first[at] : items, depth + 1))
    return filled.some((item, at) => item !== list[at]) ? filled : list
  }

  #members(value: Fields, { properties, additionalProperties }: Fields, depth: number): Fields {
    const known = isObject(properties) ? properties : {}
    const changed: [name: string, value: unknown][] = []
    for (const [name, schema] of Object.entries(known)) {
      const before = hasMember(value, name) ? value[name] : undefined
      const after = before === undefined ? this.#defaultOf(schema) : this.#value(before, schema, depth + 1)
      if (after !== before) changed.push([name, after])
    }
    if (isObject(additionalProperties))
      for (const [name, before] of Object.entries(value)) {
        const after = Object.hasOwn(known, name) ? before : this.#value(before, additionalProperties, depth + 1)
        if (after !== before) changed.push([name, after])
      }
    return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) }
  }

  #defaultOf(schema: unknown): unknown {
    if (!isObject(schema)) return undefined
    const { default: own = this.#referred(schema.$ref)?.default } = schema
    // a copy, so that a handler may change what it was given
    return typeof own === 'object' ? structuredClone(own) : own
  }

  /** The target of a local reference by JSON Pointer. */
  #referred(reference: unknown): Fields | undefined {
    if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) return undefined
    let target: unknown = this.#root
    for (const token of reference.split('/').slice(1)) {
      const name = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')
      target =
        typeof target === 'object' && target !== null && Object.hasOwn(target, name)
          ? Reflect.get(target, name)
          : undefined
    }
    return isObject(target) ? target : undefined
  }
}
