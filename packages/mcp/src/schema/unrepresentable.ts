/** Advice for schemas that JSON Schema cannot represent, by library. */
import { type Fields, isObject } from '../wire/messages.ts'
import { formatPath } from './problems.ts'

interface Advice {
  /** Words in the library's error message. */
  readonly about: readonly string[]
  readonly zod: string
  readonly valibot: string
  readonly others: string
}

const all: readonly Advice[] = [
  {
    about: ['date'],
    zod: 'describe dates as text, as z.iso.datetime() does',
    valibot: 'describe dates as text, as v.pipe(v.string(), v.isoTimestamp()) does',
    others: 'describe dates as text',
  },
  {
    about: ['bigint'],
    zod: 'use z.int(), or text of digits',
    valibot: 'use v.number(), or text of digits',
    others: 'use a number, or text of digits',
  },
  {
    about: ['map'],
    zod: 'use z.record(); a Map is sent as an object',
    valibot: 'use v.record(); a Map is sent as an object',
    others: 'use an object; a Map is sent as one',
  },
  {
    about: ['set'],
    zod: 'use z.array(); a Set is sent as an array',
    valibot: 'use v.array(); a Set is sent as an array',
    others: 'use an array; a Set is sent as one',
  },
  {
    about: ['transform', 'transforms'],
    zod: 'say what comes out of it, as .pipe(z.string()) does',
    valibot: 'end the pipe with a schema of what comes out, as in v.string()',
    others: 'say what comes out of it',
  },
  {
    about: ['custom', 'instance', 'proto'],
    zod: 'use a schema of what JSON has, with .refine() for the rest',
    valibot: 'use a schema of what JSON has, with v.check() for the rest',
    others: 'use a schema of what JSON has',
  },
  {
    about: ['undefined', 'void', 'nan'],
    zod: 'use z.null(), or .optional() for what may be missing',
    valibot: 'use v.null(), or v.optional() for what may be missing',
    others: 'use null, or leave it out',
  },
]

/** The advice for a library's error message. */
export function adviceOn(complaint: string, vendor: string): string {
  const words = new Set(complaint.toLowerCase().split(/[^a-z]/))
  const advice = all.find(({ about }) => about.some((word) => words.has(word)))
  if (!advice) return ''
  return `; ${vendor === 'zod' || vendor === 'valibot' ? advice[vendor] : advice.others}`
}

const wordless: ReadonlySet<unknown> = new Set([
  ...['date', 'bigint', 'map', 'set', 'symbol', 'undefined', 'void', 'nan', 'custom', 'transform'],
])

/** The path of the first part of a zod schema that cannot be represented, which zod's error does not contain. */
export function placeInZod(convert: (options: Fields) => unknown): string | undefined {
  let place: readonly unknown[] | undefined
  const override = ({ path, zodSchema }: { path?: unknown; zodSchema?: unknown }): void => {
    if (place === undefined && Array.isArray(path) && wordless.has(typeOf(zodSchema))) place = path
  }
  try {
    convert({ unrepresentable: 'any', override })
  } catch {
    return undefined
  }
  return place && placeOf(place)
}

function typeOf(schema: unknown): unknown {
  const zod = isObject(schema) ? schema._zod : undefined
  return isObject(zod) && isObject(zod.def) ? zod.def.type : undefined
}

/** The path of a value from the path of its schema, like `rows[].at`. */
function placeOf(path: readonly unknown[]): string {
  let place = ''
  for (let at = 0; at < path.length; at++) {
    if (path[at] === 'items' || path[at] === 'prefixItems') place += '[]'
    if (path[at] !== 'properties') continue
    const name = formatPath([String(path[++at])])
    place += place === '' || name.startsWith('[') ? name : `.${name}`
  }
  return place
}
