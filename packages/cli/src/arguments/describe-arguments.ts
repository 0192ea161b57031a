import type { Fields } from '@trunkline/mcp/client'

/** One argument of a tool, in words for a person. */
export interface ArgumentDescription {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly description: string
  readonly schema: Fields
}

/** What a tool takes, as far as its schema says it by name. */
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

/** The values that a schema takes, in a few words: `number`, `"a" | "b"`, `list of string`. */
export function describeType(schema: Fields): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if ('const' in schema) return JSON.stringify(schema.const)
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices))
    return choices.map((choice) => (isFields(choice) ? describeType(choice) : 'any')).join(' | ')
  if (schema.type === 'array') return isFields(schema.items) ? `list of ${describeType(schema.items)}` : 'list'
  if (Array.isArray(schema.type)) return schema.type.join(' | ')
  return typeof schema.type === 'string' ? schema.type : 'any'
}

/** The only values that a schema takes, if it names them. */
export function choicesOf(schema: Fields): readonly unknown[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum
  return 'const' in schema ? [schema.const] : undefined
}

/** Whether a JSON value is an object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
