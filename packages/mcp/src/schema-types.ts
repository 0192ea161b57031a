/** The types of schemas and of their values. */
export type { AnySchema, JsonSchema, SchemaInput, SchemaOutput } from './schema/adapter.ts'
export type { FromJson } from './schema/infer.ts'
export type * from './schema/standard.ts'
