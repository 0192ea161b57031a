/** The JSON Schema validator of this library; it does not generate code. */
export { compile, type Validate } from './schema/json-schema/compile.ts'
export type { CompileOptions } from './schema/json-schema/compile-options.ts'
export { SchemaError } from './schema/json-schema/schema-error.ts'
export { describeProblems, type SchemaProblem } from './schema/problems.ts'
export { nearName } from './wire/near-name.ts'
