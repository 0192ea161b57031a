import type { Schema } from '../../form/schema.ts'

/** The arguments of a prompt as a schema: all of them are text. */
export function schemaOfPrompt(given: unknown): Schema {
  const all = (Array.isArray(given) ? given : []).filter((one) => typeof one?.name === 'string')
  return {
    type: 'object',
    properties: Object.fromEntries(
      all.map(({ name, title, description }) => [name, { type: 'string', title, description }]),
    ),
    required: all.filter(({ required }) => required === true).map(({ name }) => name),
  }
}
