import type { Fields } from '@trunkline/mcp'
import type { ProgramArgument, ProgramOption, ProgramTool } from './description.ts'

/** The input schema of a tool: every option and argument by name, the folder to run in, and stdin where it is read. */
export function toolInput({ options = [], arguments: own = [], stdin }: ProgramTool): Fields {
  const required = [...options, ...own].filter((member) => member.required).map(({ name }) => name)
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(options.map((option) => [option.name, optionSchema(option)])),
      ...Object.fromEntries(own.map((argument) => [argument.name, argumentSchema(argument)])),
      ...(stdin && { stdin: { type: 'string', description: 'Text that the program reads from its stdin' } }),
      cwd: { type: 'string', description: 'The folder to run in, from the first folder that is allowed' },
    },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

function optionSchema({ flag, description, type, choices, valueOptional, multiple }: ProgramOption): Fields {
  const says = { description: description === undefined ? flag : `${flag}: ${description}` }
  if ((type ?? (choices ? 'text' : 'flag')) === 'flag') return { type: 'boolean', ...says }
  const value = valueSchema(type === 'integer' || type === 'number' ? type : 'string', choices)
  if (multiple) return { type: 'array', items: value, ...says }
  return valueOptional ? { anyOf: [{ type: 'boolean' }, value], ...says } : { ...value, ...says }
}

function argumentSchema({ description, choices, multiple, required }: ProgramArgument): Fields {
  const says = description === undefined ? {} : { description }
  const value = valueSchema('string', choices)
  if (!multiple) return { ...value, ...says }
  return { type: 'array', items: value, ...(required && { minItems: 1 }), ...says }
}

function valueSchema(type: 'string' | 'integer' | 'number', choices: readonly string[] | undefined): Fields {
  return choices ? { type: 'string', enum: choices } : { type }
}
