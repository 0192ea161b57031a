import { isRequired, isSchema, optionsOf, propertiesOf, resolve, type Schema, typeOf, variantsOf } from './schema.ts'

/** Problems of a value, by the path to it, as in `items/0/name`. */
export type Problems = ReadonlyMap<string, string>

const maxProblems = 100
const patternMs = 200

const formats: { readonly [format: string]: readonly [RegExp, string] } = {
  email: [/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'This is not an e-mail address'],
  uri: [/^[a-z][a-z0-9+.-]*:\S+$/i, 'This is not an address such as https://example.com'],
  date: [/^\d{4}-\d\d-\d\d$/, 'Write a date as 2026-01-31'],
  'date-time': [/^\d{4}-\d\d-\d\dT\d\d:\d\d/, 'Write a time as 2026-01-31T12:00:00Z'],
}

/** Checks a value before it is sent, so that a person sees at the field what is wrong. */
export function checkValue(value: unknown, schema: Schema): Problems {
  const problems = new Map<string, string>()
  check(value, schema, '')
  return problems

  function check(one: unknown, given: unknown, path: string): void {
    const at = resolve(given, schema)
    if (problems.size >= maxProblems || one === undefined) return
    const problem = problemOf(one, at)
    if (problem !== undefined) {
      problems.set(path, problem)
      return
    }
    if (Array.isArray(one)) {
      for (const [index, item] of one.entries()) check(item, at.items, join(path, String(index)))
    } else if (isSchema(one)) {
      checkMembers(one, at, path)
    }
  }

  function checkMembers(one: Schema, at: Schema, path: string): void {
    for (const [name, property] of propertiesOf(at)) {
      const member = Object.hasOwn(one, name) ? one[name] : undefined
      if (member === undefined && isRequired(at, name)) problems.set(join(path, name), 'This is required')
      else check(member, property, join(path, name))
    }
  }
}

export function join(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`
}

function problemOf(value: unknown, schema: Schema): string | undefined {
  const options = optionsOf(schema)
  if (options && !options.some((option) => option.value === value)) return 'Choose one of the values'
  if (variantsOf(schema).length > 0) return undefined
  const type = typeOf(schema)
  if (type === 'string') return typeof value === 'string' ? textProblem(value, schema) : 'This must be text'
  if (type === 'number' || type === 'integer') return numberProblem(value, schema, type)
  if (type === 'boolean' && typeof value !== 'boolean') return 'This must be true or false'
  if (type === 'array') return Array.isArray(value) ? countProblem(value, schema) : 'This must be a list'
  if (type === 'object' && !isSchema(value)) return 'This must be an object'
  return undefined
}

function textProblem(text: string, { minLength, maxLength, pattern, format }: Schema): string | undefined {
  const length = [...text].length
  if (typeof minLength === 'number' && length < minLength) return `At least ${minLength} characters`
  if (typeof maxLength === 'number' && length > maxLength) return `At most ${maxLength} characters`
  if (typeof pattern === 'string' && !matches(pattern, text)) return `This must match ${pattern}`
  const [expected, problem] = (typeof format === 'string' && Object.hasOwn(formats, format) && formats[format]) || []
  return expected && !expected.test(text) ? problem : undefined
}

/** A pattern of a server may take for ever; one that took too long once is not tried again. */
const slowPatterns = new Set<string>()

function matches(pattern: string, text: string): boolean {
  if (slowPatterns.has(pattern) || text.length > 10_000) return true
  const start = performance.now()
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return true
  } finally {
    if (performance.now() - start > patternMs) slowPatterns.add(pattern)
  }
}

function numberProblem(value: unknown, schema: Schema, type: string): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  if (typeof value !== 'number' || Number.isNaN(value)) return 'This must be a number'
  if (type === 'integer' && !Number.isInteger(value)) return 'This must be a whole number'
  if (typeof minimum === 'number' && value < minimum) return `At least ${minimum}`
  if (typeof maximum === 'number' && value > maximum) return `At most ${maximum}`
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return `More than ${exclusiveMinimum}`
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) return `Less than ${exclusiveMaximum}`
  return undefined
}

function countProblem(list: readonly unknown[], { minItems, maxItems }: Schema): string | undefined {
  if (typeof minItems === 'number' && list.length < minItems) return `At least ${minItems} items`
  if (typeof maxItems === 'number' && list.length > maxItems) return `At most ${maxItems} items`
  return undefined
}
