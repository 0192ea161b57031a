import { base64, bytesOf } from '../wire/base64.ts'
import { formatPath } from './problems.ts'

/** Reason why a value cannot be converted to JSON, and the place. */
export class NotJson extends Error {
  /** Place in the value, like `items[2].at`; empty for the value itself. */
  readonly path: string

  constructor(path: string, reason: string) {
    super(path === '' ? reason : `${path} ${reason}`)
    this.path = path
  }
}

/** True if a value is JSON already; allocates nothing. `false` may also mean that it is too deep. */
export function isJson(value: unknown, depth = 0): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return Number.isFinite(value)
    case 'object':
      return value === null || (depth < quickDepth && holdsJson(value, depth + 1))
    default:
      return false
  }
}

const quickDepth = 64

function holdsJson(value: object, depth: number): boolean {
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) if (!isJson(value[at], depth)) return false
    return true
  }
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  for (const name in value) {
    const member = (value as { readonly [name: string]: unknown })[name]
    // undefined members are left out
    if (member !== undefined && !isJson(member, depth)) return false
  }
  return true
}

/** Replaces a value that cannot be converted to JSON. */
export type Replace = (reason: string, value: unknown) => unknown

/**
 * The same value as JSON carries it: dates as text, bytes as base64, maps as objects, sets as arrays, and whatever
 * has a `toJSON`. What has no obvious form is not lost: it is replaced, or refused with a `NotJson`.
 */
export function toJson(value: unknown, replace?: Replace): unknown {
  return isJson(value) ? value : new Conversion(replace).convert(value)
}

const mostDepth = 500
const longestPlace = 200

class Conversion {
  readonly #path: (string | number)[] = []
  /** The objects that the current value is in. */
  readonly #around = new Set<object>()
  readonly #replace: Replace | undefined

  constructor(replace: Replace | undefined) {
    this.#replace = replace
  }

  convert(value: unknown): unknown {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value
      case 'number':
        return Number.isFinite(value) ? value : this.#refuse(`is ${value}, which JSON does not have; use null`, value)
      case 'object':
        return value === null ? null : this.#inside(value)
      case 'bigint':
        return this.#refuse('is a BigInt; convert it to a number or a string', value)
      case 'undefined':
        return this.#refuse('is undefined, which JSON does not have; use null', value)
      default:
        return this.#refuse(`is a ${typeof value}, which JSON does not have`, value)
    }
  }

  #inside(value: object): unknown {
    if (this.#around.has(value)) return this.#refuse('leads back to itself', value)
    if (this.#around.size >= mostDepth) return this.#refuse(`is more than ${mostDepth} levels deep`, value)
    this.#around.add(value)
    const converted = this.#object(value)
    this.#around.delete(value)
    return converted
  }

  #object(value: object): unknown {
    if (Array.isArray(value) || value instanceof Set) return this.#items(value)
    if (value instanceof Date) return this.#date(value)
    if (value instanceof Map) return this.#map(value)
    const bytes = bytesOf(value)
    if (bytes) return base64(bytes)
    if (ArrayBuffer.isView(value)) return this.#items(value as Float64Array)
    if (value instanceof Error) return this.#refuse('is an Error; throw it, or return its message', value)
    if ('toJSON' in value && typeof value.toJSON === 'function') return this.convert(value.toJSON())
    const entries = Object.entries(value).filter(([, member]) => member !== undefined)
    const loss = lossOf(value, entries.length)
    return loss === undefined ? this.#members(entries) : this.#refuse(loss, value)
  }

  #items(items: Iterable<unknown>): unknown {
    return Array.from(items, (item, at) => this.#member(at, item))
  }

  #members(entries: readonly (readonly [name: string, value: unknown])[]): unknown {
    return Object.fromEntries(entries.map(([name, value]) => [name, this.#member(name, value)]))
  }

  #member(key: string | number, value: unknown): unknown {
    this.#path.push(key)
    const converted = this.convert(value)
    this.#path.pop()
    return converted
  }

  #date(date: Date): unknown {
    return Number.isNaN(date.getTime()) ? this.#refuse('is an invalid Date', date) : date.toJSON()
  }

  #map(map: ReadonlyMap<unknown, unknown>): unknown {
    const keys = Array.from(map.keys())
    if (keys.some((key) => typeof key !== 'string' && typeof key !== 'number'))
      return this.#refuse('is a Map whose keys are not strings; return an array of its entries', map)
    if (new Set(keys.map(String)).size < keys.length)
      return this.#refuse('is a Map with a key as number and as string', map)
    return this.#members(Array.from(map, ([key, value]) => [String(key), value]))
  }

  #refuse(reason: string, value: unknown): unknown {
    if (this.#replace) return this.#replace(reason, value)
    const place = formatPath(this.#path)
    throw new NotJson(place.length > longestPlace ? `${place.slice(0, longestPlace)}…` : place, reason)
  }
}

/** Reason why an object would lose its contents as JSON, if it would. */
function lossOf(value: object, members: number): string | undefined {
  const kind = Object.prototype.toString.call(value).slice(8, -1)
  if (kind !== 'Object') return `is a ${kind}${advice.get(kind) ?? ', which has no form in JSON'}`
  const prototype = Object.getPrototypeOf(value)
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null
  if (isPlain || members > 0) return undefined
  const name = prototype.constructor?.name || 'class'
  return `is a ${name} with nothing in it that JSON shows; return a plain object, or give it toJSON()`
}

const fromEntries = '; make an object of it with Object.fromEntries()'
const fromItems = '; make an array of it with Array.from()'

const advice: ReadonlyMap<string, string> = new Map([
  ['Promise', '; await it'],
  ['Response', '; read it first, as in await response.text()'],
  ['Request', '; read it first, as in await request.text()'],
  ['Blob', '; read it first, as in await blob.arrayBuffer()'],
  ['File', '; read it first, as in await file.arrayBuffer()'],
  ['Headers', fromEntries],
  ['URLSearchParams', fromEntries],
  ['FormData', fromEntries],
  ['Map Iterator', fromItems],
  ['Set Iterator', fromItems],
  ['Array Iterator', fromItems],
  ['Generator', fromItems],
])
