import type { Fields } from '@trunkline/mcp/client'

/** One argument of a tool, in words for a person. */
export interface ArgumentDescription {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly description: string
  readonly schema: Fields
}

/** The arguments that a tool's schema names. */
export function describeArguments(schema: Fields): readonly ArgumentDescription[] {
  const properties = isFields(schema.properties) ? schema.properties : {}
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(properties).map(([name, property]) => {
    const own = isFields(property) ? property : {}
    return {
      name,
      type: describeType(own),
      isRequired: required.includes(name),
      description: typeof own.description === 'string' ? own.description : '',
      schema: own,
    }
  })
}

const maxDepth = 3
const maxMembers = 6

/** The values that a schema takes, in a few words: `number`, `"a" | "b"`, `list of { name: string, size?: number }`. */
export function describeType(schema: Fields, depth = 0): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if ('const' in schema) return JSON.stringify(schema.const)
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices))
    return choices.map((choice) => (isFields(choice) ? describeType(choice, depth) : 'any')).join(' | ')
  if (schema.type === 'array') return isFields(schema.items) ? `list of ${describeType(schema.items, depth)}` : 'list'
  if (Array.isArray(schema.type)) return schema.type.join(' | ')
  if (schema.type === 'object' && depth < maxDepth) return describeMembers(schema, depth)
  return typeof schema.type === 'string' ? schema.type : 'any'
}

function describeMembers(schema: Fields, depth: number): string {
  const properties = Object.entries(isFields(schema.properties) ? schema.properties : {})
  if (properties.length === 0) return 'object'
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  const members = properties.slice(0, maxMembers).map(([name, property]) => {
    const type = isFields(property) ? describeType(property, depth + 1) : 'any'
    return `${name}${required.includes(name) ? '' : '?'}: ${type}`
  })
  return `{ ${[...members, ...(properties.length > maxMembers ? ['…'] : [])].join(', ')} }`
}

/** The only values that a schema takes, if it names them. */
export function choicesOf(schema: Fields): readonly unknown[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum
  return 'const' in schema ? [schema.const] : undefined
}

/** True if a JSON value is an object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
