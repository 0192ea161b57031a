import { McpError } from '../wire/errors.ts'
import type { Shape, ShapeProblem } from '../wire/shape.ts'
import { type AnySchema, adapt, type Checked } from './adapter.ts'
import { isStandardSchema } from './standard.ts'

/** Makes a {@link Shape} of any schema that is not asynchronous. */
export function shapeFromSchema(schema: AnySchema | Shape): Shape {
  if (isShape(schema)) return schema
  const adapted = adapt(schema, { trusted: true })
  return {
    check(value) {
      const checked = adapted.check(value)
      if (checked instanceof Promise)
        throw new McpError('Misuse', 'Cannot check a message: its schema is asynchronous, which a wire check cannot be')
      return firstProblem(checked)
    },
  }
}

function isShape(schema: AnySchema | Shape): schema is Shape {
  return !isStandardSchema(schema) && 'check' in schema && typeof schema.check === 'function'
}

function firstProblem(checked: Checked): ShapeProblem | undefined {
  return checked.ok ? undefined : checked.problems[0]
}
