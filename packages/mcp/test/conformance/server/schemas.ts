import type { Server } from '@trunkline/mcp'
import { z } from 'zod'

/** A schema that uses much of JSON Schema 2020-12, all of which a client must see. */
const contact = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  // biome-ignore-start lint/suspicious/noThenProperty: a keyword of JSON Schema, and nothing awaits this object
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  // biome-ignore-end lint/suspicious/noThenProperty: a keyword of JSON Schema, and nothing awaits this object
  additionalProperties: false,
}

/** Tools whose input schemas are special. */
export function offerSchemas(app: Server): void {
  app.tool(
    'json_schema_2020_12_tool',
    { description: 'Takes a way to reach somebody', input: contact },
    (input) => `Called with ${JSON.stringify(input)}`,
  )

  app.tool(
    'test_custom_header',
    {
      description: 'Takes an argument that also travels as a header',
      input: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }),
    },
    ({ region }) => `Called in ${region}`,
  )
}
