import { kindOf } from '../wire/kind-of.ts'
import type { Fields } from '../wire/messages.ts'
import { deriveJsonSchema, type SchemaSide } from './derive.ts'
import type { FromJson } from './infer.ts'
import { namesInherited, withoutInherited } from './inherited-names.ts'
import { compile } from './json-schema/compile.ts'
import { fillerOf } from './json-schema/defaults.ts'
import { SchemaError } from './json-schema/schema-error.ts'
import { formatPath, type SchemaProblem } from './problems.ts'
import {
  type InferInput,
  type InferOutput,
  isStandardSchema,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
} from './standard.ts'

/** A JSON Schema as plain data. */
export type JsonSchema = (Fields | object) & { readonly '~standard'?: never }

/** Every way to write a schema: with any library of Standard Schema, or as JSON Schema. */
export type AnySchema = StandardSchema | JsonSchema

/** The input type of a schema. */
export type SchemaInput<Schema> = Schema extends StandardSchema ? InferInput<Schema> : FromJson<Schema>

/** The output type of a schema, with defaults and transformations applied. */
export type SchemaOutput<Schema> = Schema extends StandardSchema ? InferOutput<Schema> : FromJson<Schema, 'filled'>

/** The result of a check. */
export type Checked =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] }

/** A schema of any library in the form that this library uses. */
export interface Adapted {
  /** The JSON Schema of the input, derived once; a promise only where a converter has to be loaded. */
  input(): Fields | Promise<Fields>
  /** The JSON Schema of the output. */
  output(): Fields | Promise<Fields>
  /** Checks a value; a promise only when the schema itself is asynchronous. */
  check(value: unknown): Checked | Promise<Checked>
  /** True for a JSON Schema, which only checks JSON values. */
  readonly isJsonSchema: boolean
}

export interface AdaptOptions {
  /**
   * Trusts the author of a JSON Schema with native regular expressions.
   * @default false
   */
  readonly trusted?: boolean
}

const defaults = { trusted: false } as const satisfies Required<AdaptOptions>

/** Adapts a schema of any kind; throws a `SchemaError` for a JSON Schema that cannot be compiled. */
export function adapt(schema: AnySchema, { trusted = defaults.trusted }: AdaptOptions = {}): Adapted {
  return isStandardSchema(schema) ? adaptStandard(schema) : adaptJson(expectJson(schema), trusted)
}

function adaptJson(schema: Fields, trusted: boolean): Adapted {
  const validate = compile(schema, { trusted })
  const fill = fillerOf(schema)
  return {
    input: () => schema,
    output: () => schema,
    isJsonSchema: true,
    check: (given) => {
      const value = fill ? fill(given) : given
      const problems = validate(value)
      return problems.length === 0 ? { ok: true, value } : { ok: false, problems }
    },
  }
}

const wanted = 'give a schema of zod, valibot or arktype, or a JSON Schema'

/** Refuses objects that are not JSON Schemas, because as schemas they would allow everything. */
function expectJson(schema: object): Fields {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    throw new SchemaError(`Cannot use schema: it is ${kindOf(schema)}; ${wanted}`)
  }
  const prototype = Object.getPrototypeOf(schema)
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw new SchemaError('Cannot use schema: its library does not implement Standard Schema; upgrade the library')
  const [name] = Object.entries(schema).find(([, value]) => isStandardSchema(value)) ?? []
  if (name !== undefined)
    throw new SchemaError(
      `Cannot use schema: "${name}" is a schema itself; make an object schema of such fields, as z.object() does`,
    )
  return schema as Fields
}

function adaptStandard(schema: StandardSchema): Adapted {
  // some libraries build it each time it is read
  const standard = schema['~standard']
  const input = once(schema, 'input')
  const inherits = inheritedNames(input)
  return {
    input,
    output: once(schema, 'output'),
    isJsonSchema: false,
    check: (value) => {
      const result = standard.validate(inherits() ? withoutInherited(value) : value)
      return 'then' in result ? result.then(toChecked) : toChecked(result)
    },
  }
}

/** Tells whether a schema names a member that every object inherits; true while that is not known. */
function inheritedNames(derive: () => Fields | Promise<Fields>): () => boolean {
  let known: boolean | undefined
  return () => {
    if (known !== undefined) return known
    try {
      const json = derive()
      if (json instanceof Promise) json.catch(() => {})
      else known = namesInherited(json)
    } catch {
      known = true
    }
    return known ?? true
  }
}

/** Derives a JSON Schema once, on first use. */
function once(schema: StandardSchema, side: SchemaSide): () => Fields | Promise<Fields> {
  let known: Fields | Promise<Fields> | undefined
  return () => {
    if (known !== undefined) return known
    const derived = deriveJsonSchema(schema, side)
    known = derived instanceof Promise ? settle(derived) : derived
    return known
  }

  async function settle(pending: Promise<Fields>): Promise<Fields> {
    try {
      const json = await pending
      known = json
      return json
    } catch (error) {
      // a missing package may be installed the next time
      known = undefined
      throw error
    }
  }
}

function toChecked(result: StandardResult<unknown>): Checked {
  return result.issues === undefined
    ? { ok: true, value: result.value }
    : { ok: false, problems: result.issues.map(toProblem) }
}

function toProblem({ path = [], message }: StandardIssue): SchemaProblem {
  const place = formatPath(path.map((step) => (typeof step === 'object' ? step.key : step)))
  // arktype's messages start with the path
  return {
    path: place,
    message: place !== '' && message.startsWith(`${place} `) ? message.slice(place.length + 1) : message,
  }
}
