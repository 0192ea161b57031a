import { type Fields, isObject } from '../wire/messages.ts'
import { SchemaError } from './json-schema/schema-error.ts'
import type { StandardJsonSchema, StandardSchema } from './standard.ts'
import { adviceOn, placeInZod } from './unrepresentable.ts'

/** The input or output side of a schema. */
export type SchemaSide = 'input' | 'output'

/** Derives the JSON Schema of a library's schema; a promise where the converter is a package of its own. */
export function deriveJsonSchema(schema: StandardSchema, side: SchemaSide): Fields | Promise<Fields> {
  const { vendor, jsonSchema } = schema['~standard']
  if (jsonSchema) return describe(vendor, (options) => convertStandard(jsonSchema[side], options), side)
  if (hasConverter(schema)) return describe(vendor, () => schema.toJsonSchema())
  const converter = converters.find((known) => known.vendor === vendor && known.takes(schema))
  if (!converter) return refuse(vendor, advice[vendor] ?? 'it offers none; write the JSON Schema by hand')
  return load(converter).then((module) =>
    describe(vendor, (options) => converter.convert(module, schema, { side, options })),
  )
}

/** A package that converts the schemas of a library. */
interface Converter {
  readonly vendor: string
  readonly package: string
  /** Advice for when the package is missing. */
  readonly advice: string
  takes(schema: StandardSchema): boolean
  convert(
    module: Fields,
    schema: StandardSchema,
    how: { readonly side: SchemaSide; readonly options: Fields | undefined },
  ): unknown
}

const target = 'draft-2020-12'

const converters: readonly Converter[] = [
  {
    vendor: 'valibot',
    package: '@valibot/to-json-schema',
    advice: 'install the package "@valibot/to-json-schema", or wrap the schema with its toStandardJsonSchema()',
    takes: () => true,
    convert: (module, schema, { side }) => call(module.toJsonSchema, schema, { target, typeMode: side }),
  },
  {
    vendor: 'zod',
    package: 'zod/v4/core',
    advice: 'install zod 4',
    takes: (schema) => '_zod' in schema,
    convert: (module, schema, { side, options }) => call(module.toJSONSchema, schema, { ...options, target, io: side }),
  },
]

const advice: Readonly<Record<string, string>> = {
  zod: 'zod offers none before version 4; upgrade it, or write the JSON Schema by hand',
}

/** Converts to the preferred draft, or else to the most common one. */
function convertStandard(convert: StandardJsonSchema[SchemaSide], libraryOptions: Fields | undefined): unknown {
  const options = libraryOptions && { libraryOptions }
  try {
    return convert({ target, ...options })
  } catch (preferred) {
    try {
      return convert({ target: 'draft-07', ...options })
    } catch {
      throw preferred
    }
  }
}

function hasConverter(schema: StandardSchema): schema is StandardSchema & { toJsonSchema(): unknown } {
  return 'toJsonSchema' in schema && typeof schema.toJsonSchema === 'function'
}

async function load(converter: Converter): Promise<Fields> {
  try {
    // a variable, so that bundlers do not resolve an optional package
    return await import(/* @vite-ignore */ converter.package)
  } catch (cause) {
    return refuse(converter.vendor, converter.advice, cause)
  }
}

function call(convert: unknown, ...parameters: readonly unknown[]): unknown {
  return typeof convert === 'function' ? convert(...parameters) : undefined
}

type Convert = (options?: Fields) => unknown

function describe(vendor: string, convert: Convert, side?: SchemaSide): Fields {
  let json: unknown
  try {
    json = convert(vendor === 'arktype' && side === 'input' ? strictArktype : undefined)
  } catch (cause) {
    const complaint = (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '')
    const place = vendor === 'zod' ? placeInZod(convert) : undefined
    return refuse(vendor, `${place ? `${place}: ` : ''}${complaint}${adviceOn(complaint, vendor)}`, cause)
  }
  return isObject(json) ? json : refuse(vendor, 'its converter returned no object')
}

/** Makes arktype refuse types that JSON cannot represent. */
const strictArktype: Fields = {
  fallback: {
    date: () => never('a Date'),
    proto: ({ proto }: { proto?: { readonly name: string } }) => never(`an instance of ${proto?.name ?? 'a class'}`),
    domain: ({ domain }: { domain?: string }) => never(`a ${domain}`),
  },
}

function never(what: string): never {
  throw new Error(`${what} cannot be given: JSON has no such value`)
}

function refuse(vendor: string, reason: string, cause?: unknown): never {
  throw new SchemaError(`Cannot describe the ${vendor} schema as JSON Schema: ${reason}`, { cause })
}
