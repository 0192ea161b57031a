import { canonicalJson } from '../../wire/canonical-json.ts'
import { type Fields, isObject } from '../../wire/messages.ts'

/** Reason why a schema takes less than another one did. */
export interface Narrowing {
  /** Place as a JSON Pointer into the value; empty for the whole of it. */
  readonly at: string
  readonly what: string
}

const maxDepth = 32

/**
 * The ways in which `now` refuses values that `before` took. What cannot be compared, such as two different `anyOf`,
 * counts as a narrowing: a schema is never called compatible when that is uncertain.
 */
export function schemaNarrowings(before: unknown, now: unknown, at = '', depth = 0): readonly Narrowing[] {
  if (now === true || (isObject(now) && Object.keys(now).length === 0) || same(before, now)) return []
  if (!isObject(before) || !isObject(now))
    return [{ at, what: now === false ? 'is no longer taken' : 'is described in another way' }]
  if (depth > maxDepth) return [{ at, what: 'is nested too deeply to compare' }]
  return [
    ...incomparable(before, now, at),
    ...types(before, now, at),
    ...values(before, now, at),
    ...bounds(before, now, at),
    ...members(before, now, at, depth),
    ...(now.items === undefined ? [] : schemaNarrowings(before.items ?? true, now.items, `${at}/*`, depth + 1)),
  ]
}

function same(one: unknown, other: unknown): boolean {
  try {
    return canonicalJson(one ?? null) === canonicalJson(other ?? null)
  } catch {
    // nested too deeply to be compared
    return false
  }
}

/** Keywords that are taken as a whole: the same, gone, or not to be compared. */
const whole = [
  '$ref',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
  'pattern',
  'format',
  'multipleOf',
  'prefixItems',
  'contains',
  'patternProperties',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  'uniqueItems',
]

function incomparable(before: Fields, now: Fields, at: string): Narrowing[] {
  return whole
    .filter((keyword) => now[keyword] !== undefined && now[keyword] !== false && !same(before[keyword], now[keyword]))
    .map((keyword) => ({ at, what: `has another "${keyword}"` }))
}

function types(before: Fields, now: Fields, at: string): Narrowing[] {
  const wanted = namesOf(now.type)
  if (!wanted) return []
  const had = namesOf(before.type)
  const lost = had?.filter((type) => !wanted.includes(type) && !(type === 'integer' && wanted.includes('number')))
  if (lost && lost.length === 0) return []
  return [{ at, what: `is ${wanted.join(' or ')} now, and was ${had?.join(' or ') ?? 'of any type'}` }]
}

function namesOf(type: unknown): readonly string[] | undefined {
  if (typeof type === 'string') return [type]
  return Array.isArray(type) ? type : undefined
}

function values(before: Fields, now: Fields, at: string): Narrowing[] {
  const wanted = valuesOf(now)
  if (!wanted) return []
  const had = valuesOf(before)
  if (!had) return [{ at, what: `is one of ${wanted.join(', ')} now` }]
  const lost = had.filter((value) => !wanted.includes(value))
  return lost.length === 0 ? [] : [{ at, what: `is no longer ${lost.join(' or ')}` }]
}

function valuesOf(schema: Fields): readonly string[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => canonicalJson(value))
  return schema.const === undefined ? undefined : [canonicalJson(schema.const)]
}

const lower = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const upper = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']

function bounds(before: Fields, now: Fields, at: string): Narrowing[] {
  const tighter = (keyword: string, isTighter: (now: number, before: number) => boolean): Narrowing[] => {
    const [had, wants] = [before[keyword], now[keyword]]
    if (typeof wants !== 'number' || (typeof had === 'number' && !isTighter(wants, had))) return []
    return [{ at, what: `has "${keyword}" ${wants} now${typeof had === 'number' ? `, and had ${had}` : ''}` }]
  }
  return [
    ...lower.flatMap((keyword) => tighter(keyword, (wants, had) => wants > had)),
    ...upper.flatMap((keyword) => tighter(keyword, (wants, had) => wants < had)),
  ]
}

function members(before: Fields, now: Fields, at: string, depth: number): Narrowing[] {
  const [had, has] = [fieldsOf(before.properties), fieldsOf(now.properties)]
  const required = new Set(Array.isArray(before.required) ? before.required : [])
  const added = (Array.isArray(now.required) ? now.required : []).filter((name) => !required.has(name))
  return [
    ...added.map((name) => ({ at: `${at}/${name}`, what: 'must be given now' })),
    ...Object.entries(had).flatMap(([name, schema]) => {
      const next = Object.hasOwn(has, name) ? has[name] : (now.additionalProperties ?? true)
      return schemaNarrowings(schema, next, `${at}/${name}`, depth + 1)
    }),
  ]
}

const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {})
