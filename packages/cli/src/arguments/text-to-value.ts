import type { Fields } from '@trunkline/mcp/client'
import { usageFailure } from '../failure/failure.ts'
import { parseJson } from './argument-words.ts'
import { choicesOf, isFields } from './describe-arguments.ts'

/** Value of a text on the command line, by the schema of the argument; a text that does not fit stays text. */
export function textToValue(text: string, schema: Fields, name: string): unknown {
  const choices = choicesOf(schema)
  if (choices) return choices.find((choice) => String(choice) === text) ?? text
  const types = typesOf(schema)
  if (types === undefined) return looseValue(text)
  if (types.has('string')) return text
  if (types.has('array') && !text.trimStart().startsWith('[')) {
    return [textToValue(text, isFields(schema.items) ? schema.items : {}, name)]
  }
  const readers = ['number', 'integer', 'boolean', 'null', 'array', 'object'].filter((type) => types.has(type))
  for (const reader of readers) {
    const value = readAs(reader, text, name)
    if (value !== undefined) return value
  }
  return text
}

function readAs(type: string, text: string, name: string): unknown {
  if (type === 'number' || type === 'integer')
    return /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? exact(text, name) : undefined
  if (type === 'boolean') return { true: true, false: false }[text]
  if (type === 'null') return text === 'null' ? null : undefined
  const opens = type === 'array' ? '[' : '{'
  return text.trimStart().startsWith(opens) ? parseJson(text, `argument "${name}"`) : undefined
}

/** A number is never sent as another one. */
function exact(text: string, name: string): number {
  const value = Number(text)
  const isInexact = !Number.isFinite(value) || (/^-?\d+$/.test(text) && !Number.isSafeInteger(value))
  if (isInexact) throw usageFailure(`Cannot send argument "${name}": ${text} is beyond what JSON numbers hold exactly`)
  return value
}

function looseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The types that a schema names, its alternatives included; undefined when it names none. */
function typesOf(schema: Fields): ReadonlySet<string> | undefined {
  const alternatives = [schema.anyOf, schema.oneOf].filter(Array.isArray).flat().filter(isFields)
  const own: readonly unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type]
  const types = [
    ...own.filter((type) => typeof type === 'string'),
    ...alternatives.flatMap((one) => [...(typesOf(one) ?? [])]),
  ]
  return types.length > 0 ? new Set(types) : undefined
}
