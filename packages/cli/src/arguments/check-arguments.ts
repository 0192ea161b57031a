import type { Fields } from '@trunkline/mcp/client'
import { compile, nearName, type SchemaProblem, type Validate } from '@trunkline/mcp/json-schema'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure } from '../failure/failure.ts'
import { describeArguments, isFields } from './describe-arguments.ts'

/** A tool or prompt that is called with arguments. */
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
  const unknown = unknownNames(inputSchema, given)
  const named = new Set(unknown.map(({ path }) => path))
  return { problems: [...unknown, ...validate(given).filter(({ path }) => !named.has(path))] }
}

/** Failure for arguments that do not fit: each problem with its field, and the arguments of the tool. */
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

/** A mistake in how arguments are written, with what the tool takes. */
export function withShape(error: unknown, tool: Called): unknown {
  if (!(error instanceof Failure) || error.hint !== undefined) return error
  const { message, code, exit } = error
  return new Failure(message, { code, exit, hint: shapeOf(tool) })
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

/** Names that a schema does not have, in what it describes and in all that stands within. */
function unknownNames(schema: Fields, given: Fields, within = ''): readonly SchemaProblem[] {
  const properties: Fields = isFields(schema.properties) ? schema.properties : {}
  const names = Object.keys(properties)
  const isClosed = takesOnly(schema, names)
  return Object.entries(given).flatMap(([name, value]) => {
    const path = within === '' ? name : `${within}.${name}`
    if (Object.hasOwn(properties, name)) return unknownWithin(properties[name], value, path)
    return isClosed ? [{ path, message: unknownName(name, names) }] : []
  })
}

function unknownWithin(schema: unknown, value: unknown, path: string): readonly SchemaProblem[] {
  if (!isFields(schema)) return []
  if (Array.isArray(value)) return value.flatMap((item, at) => unknownWithin(schema.items, item, `${path}[${at}]`))
  return isFields(value) ? unknownNames(schema, value, path) : []
}

/** True if a schema takes only the properties it names: it says so, or names some and does not mention others. */
function takesOnly(schema: Fields, names: readonly string[]): boolean {
  // a schema that composes others may name what it takes there
  if (['allOf', 'anyOf', 'oneOf', '$ref', 'if', 'patternProperties'].some((keyword) => keyword in schema)) return false
  const { additionalProperties = names.length === 0 } = schema
  return additionalProperties === false
}

function unknownName(written: string, names: readonly string[]): string {
  const near = nearName(written, names)
  return near === undefined ? 'is no argument of it' : `is no argument of it; did you mean "${near}"?`
}
