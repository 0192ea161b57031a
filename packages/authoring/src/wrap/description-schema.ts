import { constants } from 'node:os'
import type { Fields } from '@trunkline/mcp'
import { optionTypes, outputKinds, valueForms } from './description.ts'

const text = { type: 'string' }
const name = { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_.-]{0,63}$' }
const flag = { type: 'boolean' }
const texts = { type: 'array', items: text }
const seconds = { type: 'number', exclusiveMinimum: 0, maximum: 86_400 }
const listOf = (items: Fields): Fields => ({ type: 'array', items })
const object = (required: readonly string[], properties: Fields): Fields => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const option = object(['name', 'flag'], {
  name,
  flag: { type: 'string', pattern: '^--?[A-Za-z0-9?][^\\s=]*$' },
  description: text,
  type: { enum: optionTypes },
  choices: texts,
  valueOptional: flag,
  multiple: flag,
  required: flag,
  form: { enum: valueForms },
})

const argument = object(['name'], { name, description: text, choices: texts, multiple: flag, required: flag })

// signals that end a program for certain are for cancelling
const sendable = Object.keys(constants.signals).filter((signal) => signal !== 'SIGKILL' && signal !== 'SIGSTOP')

const annotations = object([], {
  title: text,
  readOnlyHint: flag,
  destructiveHint: flag,
  idempotentHint: flag,
  openWorldHint: flag,
})

const tool = object(['name'], {
  name,
  title: text,
  description: text,
  command: texts,
  options: listOf(option),
  arguments: listOf(argument),
  endOfOptionsBefore: name,
  stdin: flag,
  okExitCodes: { type: 'array', items: { type: 'integer' } },
  output: { enum: outputKinds },
  outputSchema: { type: 'object' },
  annotations,
  timeoutSeconds: seconds,
  signals: { type: 'array', items: { enum: sendable } },
  tty: flag,
})

const resource = object(['uri', 'command'], {
  uri: text,
  name: text,
  description: text,
  mimeType: text,
  command: texts,
})

const prompt = object(['name', 'text'], {
  name,
  description: text,
  arguments: listOf(object(['name'], { name, description: text, required: flag })),
  text,
})

/** JSON Schema of a description file. */
export const descriptionSchema: Fields = object(['program'], {
  program: { type: 'array', items: text, minItems: 1 },
  name,
  instructions: text,
  env: { type: 'object', additionalProperties: { anyOf: [text, object(['from'], { from: text })] } },
  timeoutSeconds: seconds,
  tty: flag,
  tools: listOf(tool),
  resources: listOf(resource),
  prompts: listOf(prompt),
})
