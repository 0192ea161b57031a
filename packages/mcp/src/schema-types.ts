/** The types of schemas, and what they make of values. */
export type { AnySchema, JsonSchema, SchemaInput, SchemaOutput } from './schema/adapter.ts'
export type { FromJson } from './schema/infer.ts'
export type * from './schema/standard.ts'
