import { base64, bytesOf } from '../wire/base64.ts'
import { formatPath } from './problems.ts'

/** Why a value has no form in JSON, and where in it. */
export class NotJson extends Error {
  /** Where in the value, like `items[2].at`; empty for the value itself. */
  readonly path: string

  constructor(path: string, reason: string) {
    super(path === '' ? reason : `${path} ${reason}`)
    this.path = path
  }
}

/** Whether JSON carries a value just as it is; allocates nothing. A no may also mean that it is too deep to tell. */
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
    // a member that is undefined is one that is not there
    if (member !== undefined && !isJson(member, depth)) return false
  }
  return true
}

/**
 * The same value as JSON carries it: dates as text, bytes as base64, maps as objects, sets as arrays, and whatever
 * has a `toJSON`. Throws a `NotJson` for what has no obvious form, rather than lose it.
 */
export function toJson(value: unknown): unknown {
  return isJson(value) ? value : convert(value, [], new Set())
}

type Path = (string | number)[]

function convert(value: unknown, path: Path, around: Set<object>): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : refuse(path, `is ${value}, which JSON does not have; use null`)
    case 'object':
      return value === null ? null : within(value, path, around)
    case 'bigint':
      return refuse(path, 'is a BigInt; make a number or a string of it')
    case 'undefined':
      return refuse(path, 'is undefined, which JSON does not have; use null')
    default:
      return refuse(path, `is a ${typeof value}, which JSON does not have`)
  }
}

function within(value: object, path: Path, around: Set<object>): unknown {
  if (around.has(value)) return refuse(path, 'leads back to itself')
  if (around.size >= mostDepth) return refuse(path, `is more than ${mostDepth} levels deep`)
  around.add(value)
  const converted = convertObject(value, path, around)
  around.delete(value)
  return converted
}

const mostDepth = 500

function convertObject(value: object, path: Path, around: Set<object>): unknown {
  const each = (key: string | number, part: unknown): unknown => {
    path.push(key)
    const converted = convert(part, path, around)
    path.pop()
    return converted
  }
  if (Array.isArray(value)) return Array.from(value, (item, at) => each(at, item))
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? refuse(path, 'is an invalid Date') : value.toJSON()
  if (value instanceof Map) return fromMap(value, path, each)
  if (value instanceof Set) return Array.from(value, (item, at) => each(at, item))
  const bytes = bytesOf(value)
  if (bytes) return base64(bytes)
  if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array, (item, at) => each(at, item))
  if (value instanceof Error) return refuse(path, 'is an Error; throw it, or return its message')
  if ('toJSON' in value && typeof value.toJSON === 'function') return convert(value.toJSON(), path, around)
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  checkKind(value, entries.length, path)
  return Object.fromEntries(entries.map(([name, member]) => [name, each(name, member)]))
}

function fromMap(map: ReadonlyMap<unknown, unknown>, path: Path, each: (key: string, part: unknown) => unknown) {
  const entries = Array.from(map, ([key, part]): [string, unknown] => {
    if (typeof key !== 'string' && typeof key !== 'number')
      refuse(path, 'is a Map whose keys are not strings; return an array of its entries')
    return [`${key}`, part]
  })
  if (new Set(entries.map(([key]) => key)).size < map.size) refuse(path, 'is a Map with a key as number and as string')
  return Object.fromEntries(entries.map(([key, part]) => [key, each(key, part)]))
}

/** Refuses what would become an empty object and lose all that is in it. */
function checkKind(value: object, members: number, path: Path): void {
  const kind = Object.prototype.toString.call(value).slice(8, -1)
  if (kind !== 'Object') refuse(path, `is a ${kind}${advice.get(kind) ?? ', which has no form in JSON'}`)
  const prototype = Object.getPrototypeOf(value)
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null
  if (isPlain || members > 0) return
  const name = prototype.constructor?.name || 'class'
  refuse(path, `is a ${name} with nothing in it that JSON shows; return a plain object, or give it toJSON()`)
}

const advice: ReadonlyMap<string, string> = new Map([
  ['Promise', '; await it'],
  ['Response', '; read it first, as in await response.text()'],
  ['Request', '; read it first, as in await request.text()'],
  ['Blob', '; read it first, as in await blob.arrayBuffer()'],
  ['File', '; read it first, as in await file.arrayBuffer()'],
  ['Headers', '; make an object of it with Object.fromEntries()'],
  ['URLSearchParams', '; make an object of it with Object.fromEntries()'],
  ['FormData', '; make an object of it with Object.fromEntries()'],
  ['Map Iterator', '; make an array of it with Array.from()'],
  ['Set Iterator', '; make an array of it with Array.from()'],
  ['Array Iterator', '; make an array of it with Array.from()'],
  ['Generator', '; make an array of it with Array.from()'],
])

function refuse(path: Path, reason: string): never {
  const place = formatPath(path)
  throw new NotJson(place.length > longestPlace ? `${place.slice(0, longestPlace)}…` : place, reason)
}

const longestPlace = 200
