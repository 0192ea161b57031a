import type { Fields } from '@trunkline/mcp/client'
import { compile, describeProblems } from '@trunkline/mcp/json-schema'
import { describeType, isFields } from '../arguments/describe-arguments.ts'
import { textToValue } from '../arguments/text-to-value.ts'
import { styled } from '../output/span.ts'
import { maxAttempts, type TerminalQuestions } from '../terminal/questions.ts'

/** One thing to be filled in. */
export interface Field {
  readonly name: string
  readonly schema: Fields
  readonly isRequired: boolean
}

/** Outcome of asking for a field: a value, nothing because it may be left out, or the person cancelled. */
export type FieldAnswer = { readonly value: unknown } | 'left out' | 'cancelled'

/** Asks for one value until it fits its schema. */
export async function askField(questions: TerminalQuestions, field: Field): Promise<FieldAnswer> {
  const { schema, isRequired } = field
  const choices = choicesIn(schema)
  for (const [at, { label }] of choices.entries()) questions.say(`    ${at + 1}) ${label}`)
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const text = await questions.line(promptFor(field))
    if (text === undefined) return 'cancelled'
    if (text === '' && 'default' in schema) return { value: schema.default }
    if (text === '' && !isRequired) return 'left out'
    const value = choices[Number(text) - 1]?.value ?? valueFrom(text, field)
    const problem = text === '' ? 'it is required' : problemWith(value, schema)
    if (problem === undefined) return { value }
    questions.say([styled('warning', `    ${problem}`)])
  }
  return 'cancelled'
}

function promptFor({ name, schema, isRequired }: Field): string {
  const { title, description } = schema
  const label = typeof title === 'string' ? `${title} (${name})` : name
  const more = typeof description === 'string' ? `, ${description}` : ''
  const otherwise = 'default' in schema ? ` [${JSON.stringify(schema.default)}]` : isRequired ? '' : ' [leave out]'
  const type = choicesIn(schema).length > 0 ? 'one of these' : describeType(schema)
  return `  ${label}: ${type}${more}${otherwise}:`
}

/** The values to choose from, each with what people call it. */
function choicesIn(schema: Fields): readonly { readonly value: unknown; readonly label: string }[] {
  const { oneOf, enum: values, enumNames } = schema
  if (Array.isArray(oneOf) && oneOf.every((one) => isFields(one) && 'const' in one)) {
    return oneOf.map((one) => ({ value: one.const, label: `${one.const}${one.title ? ` (${one.title})` : ''}` }))
  }
  if (!Array.isArray(values)) return []
  const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : []
  return values.map((value, at) => ({ value, label: names[at] ? `${value} (${names[at]})` : String(value) }))
}

function valueFrom(text: string, { name, schema }: Field): unknown {
  const isList = schema.type === 'array' && !text.startsWith('[')
  const items = isFields(schema.items) ? schema.items : {}
  if (isList) return text.split(',').map((item) => textToValue(item.trim(), items, name))
  try {
    return textToValue(text, schema, name)
  } catch {
    // an unreadable value stays text, which the schema then refuses in its own words
    return text
  }
}

/** Problem of a value that does not fit its schema; undefined if it fits. */
export function problemWith(value: unknown, schema: Fields): string | undefined {
  try {
    const problems = compile(schema)(value)
    return problems.length === 0 ? undefined : describeProblems(problems)
  } catch {
    // a schema that cannot be checked refuses nothing
    return undefined
  }
}
