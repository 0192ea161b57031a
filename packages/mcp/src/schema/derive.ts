import { type Fields, isObject } from '../wire/messages.ts'
import { SchemaError } from './json-schema/schema-error.ts'
import type { StandardJsonSchema, StandardSchema } from './standard.ts'

/** Which end of a schema: what may be given, or what comes out. */
export type Side = 'input' | 'output'

/** Derives the JSON Schema of a library's schema; a promise where the converter is a package of its own. */
export function deriveJsonSchema(schema: StandardSchema, side: Side): Fields | Promise<Fields> {
  const { vendor, jsonSchema } = schema['~standard']
  if (jsonSchema) return describe(vendor, () => convertStandard(jsonSchema[side]))
  if (hasConverter(schema)) return describe(vendor, () => schema.toJsonSchema())
  const converter = converters.find((known) => known.vendor === vendor && known.takes(schema))
  if (!converter) return refuse(vendor, advice[vendor] ?? 'it offers none; write the JSON Schema by hand')
  return load(converter).then((module) => describe(vendor, () => converter.convert(module, schema, side)))
}

/** A package that converts the schemas of a library. */
interface Converter {
  readonly vendor: string
  readonly package: string
  /** What to do when the package is missing. */
  readonly advice: string
  takes(schema: StandardSchema): boolean
  convert(module: Fields, schema: StandardSchema, side: Side): unknown
}

const target = 'draft-2020-12'

const converters: readonly Converter[] = [
  {
    vendor: 'valibot',
    package: '@valibot/to-json-schema',
    advice: 'install the package "@valibot/to-json-schema", or wrap the schema with its toStandardJsonSchema()',
    takes: () => true,
    convert: (module, schema, side) => call(module.toJsonSchema, schema, { target, typeMode: side }),
  },
  {
    vendor: 'zod',
    package: 'zod/v4/core',
    advice: 'install zod 4',
    takes: (schema) => '_zod' in schema,
    convert: (module, schema, side) => call(module.toJSONSchema, schema, { target, io: side }),
  },
]

const advice: Readonly<Record<string, string>> = {
  zod: 'zod offers none before version 4; upgrade it, or write the JSON Schema by hand',
}

/** Asks for the dialect we prefer, and where a library does not know that, for the one most do. */
function convertStandard(convert: StandardJsonSchema[Side]): unknown {
  try {
    return convert({ target })
  } catch (preferred) {
    try {
      return convert({ target: 'draft-07' })
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
    // named by a variable, so that bundlers leave alone what most users have not installed
    return await import(/* @vite-ignore */ converter.package)
  } catch (cause) {
    return refuse(converter.vendor, converter.advice, cause)
  }
}

function call(convert: unknown, ...parameters: readonly unknown[]): unknown {
  return typeof convert === 'function' ? convert(...parameters) : undefined
}

function describe(vendor: string, convert: () => unknown): Fields {
  let json: unknown
  try {
    json = convert()
  } catch (cause) {
    return refuse(vendor, cause instanceof Error ? cause.message : String(cause), cause)
  }
  return isObject(json) ? json : refuse(vendor, 'its converter returned no object')
}

function refuse(vendor: string, reason: string, cause?: unknown): never {
  throw new SchemaError(`Cannot describe the ${vendor} schema as JSON Schema: ${reason}`, { cause })
}
