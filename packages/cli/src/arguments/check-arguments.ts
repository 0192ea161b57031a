import type { Fields } from '@trunkline/mcp/client'
import { compile, nearName, type SchemaProblem, type Validate } from '@trunkline/mcp/json-schema'
import { exitCodes } from '../failure/exit-code.ts'
import { Failure } from '../failure/failure.ts'
import { describeArguments, isFields } from './describe-arguments.ts'

/** Whatever is called with arguments. */
export interface Called {
  readonly name: string
  readonly inputSchema: Fields
}

/** Everything that is wrong with the arguments of a call, or why it cannot be told. */
export interface ArgumentProblems {
  readonly problems: readonly SchemaProblem[]
  readonly unchecked?: string
}

/** Checks arguments before anything is sent; names that the schema does not know are refused although it may not forbid them. */
export function findArgumentProblems({ inputSchema }: Called, given: Fields): ArgumentProblems {
  let validate: Validate
  try {
    validate = compile(inputSchema)
  } catch (error) {
    return { problems: [], unchecked: error instanceof Error ? error.message : String(error) }
  }
  const problems = validate(given).filter(({ message }) => message !== 'is not allowed')
  return { problems: [...unknownNames(inputSchema, given), ...problems] }
}

/** What to say when arguments cannot be sent: each problem with its field, and what the tool takes. */
export function badArguments(tool: Called, problems: readonly SchemaProblem[]): Failure {
  const said = problems.map(({ path, message }) => (path === '' ? message : `${path} ${message}`)).join('; ')
  const data = { problems, inputSchema: tool.inputSchema }
  return new Failure(`Cannot call "${tool.name}": ${said}`, {
    code: 'BadArguments',
    exit: exitCodes.usage,
    hint: shapeOf(tool),
    data,
  })
}

function shapeOf({ name, inputSchema }: Called): string {
  const known = describeArguments(inputSchema)
  if (known.length === 0) return `${name} takes no arguments`
  const width = Math.max(...known.map((argument) => argument.name.length))
  const lines = known.map(
    ({ name, type, isRequired }) => `  ${name.padEnd(width)}  ${type}${isRequired ? ', required' : ''}`,
  )
  return [`${name} takes:`, ...lines].join('\n')
}

function unknownNames(schema: Fields, given: Fields): readonly SchemaProblem[] {
  const { properties, patternProperties, additionalProperties = false } = schema
  const isOpen = additionalProperties !== false || isFields(patternProperties) || !isFields(properties)
  if (isOpen && !(additionalProperties === false && !isFields(patternProperties))) return []
  // a schema that composes others may name what it takes there
  if (['allOf', 'anyOf', 'oneOf', '$ref', 'if'].some((keyword) => keyword in schema)) return []
  const names = isFields(properties) ? Object.keys(properties) : []
  if (names.length === 0 && schema.additionalProperties === undefined) return []
  return Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((path) => {
      const near = nearName(path, names)
      return {
        path,
        message: near === undefined ? 'is no argument of it' : `is no argument of it; did you mean "${near}"?`,
      }
    })
}
