/** A schema of any library that implements Standard Schema. @see https://standardschema.dev/schema */
export interface StandardSchema<In = unknown, Out = In> {
  readonly '~standard': StandardProps<In, Out>
}

/** The properties of a Standard Schema. */
export interface StandardProps<In = unknown, Out = In> {
  readonly version: 1
  /** The library's name. */
  readonly vendor: string
  readonly validate: (value: unknown) => StandardResult<Out> | Promise<StandardResult<Out>>
  /** Carries types only; undefined at run time. */
  readonly types?: { readonly input: In; readonly output: Out } | undefined
  /** There when the library implements Standard JSON Schema as well. @see https://standardschema.dev/json-schema */
  readonly jsonSchema?: StandardJsonSchema | undefined
}

/** The result of a check. */
export type StandardResult<Out> =
  | { readonly value: Out; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** A fault in a value, and its place. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** Converts the input or output of a schema to JSON Schema; throws when it cannot. */
export interface StandardJsonSchema {
  readonly input: (options: StandardJsonOptions) => Record<string, unknown>
  readonly output: (options: StandardJsonOptions) => Record<string, unknown>
}

/** Options of the conversion to JSON Schema. */
export interface StandardJsonOptions {
  readonly target: 'draft-2020-12' | 'draft-07' | (string & {})
  /** Options of the library. */
  readonly libraryOptions?: Record<string, unknown> | undefined
}

/** The input type of a schema. */
export type InferInput<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['input']

/** The output type of a schema. */
export type InferOutput<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['output']

/** True if a value is a schema of some library; those of arktype are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  const standard = (value as { readonly '~standard'?: unknown })['~standard']
  return typeof standard === 'object' && standard !== null && 'validate' in standard
}
