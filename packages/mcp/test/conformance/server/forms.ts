import type { Server } from '@trunkline/mcp'
import { z } from 'zod'

const person = z.object({
  username: z.string().describe("User's response"),
  email: z.string().describe("User's email address"),
})

const presets = z.object({
  name: z.string().describe('User name').default('John Doe'),
  age: z.int().describe('User age').default(30),
  score: z.number().describe('User score').default(95.5),
  status: z.enum(['active', 'inactive', 'pending']).describe('User status').default('active'),
  verified: z.boolean().describe('Verification status').default(true),
})

/** Every way in which a form can offer a choice. */
const choices = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: {
      type: 'string',
      oneOf: [
        { const: 'value1', title: 'First Option' },
        { const: 'value2', title: 'Second Option' },
        { const: 'value3', title: 'Third Option' },
      ],
    },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: {
      type: 'array',
      minItems: 1,
      maxItems: 3,
      items: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    },
    titledMulti: {
      type: 'array',
      minItems: 1,
      maxItems: 3,
      items: {
        anyOf: [
          { const: 'value1', title: 'First Choice' },
          { const: 'value2', title: 'Second Choice' },
          { const: 'value3', title: 'Third Choice' },
        ],
      },
    },
  },
}

/** Tools that ask the user to fill in a form. */
export function offerForms(app: Server): void {
  app.tool(
    'test_elicitation',
    { description: 'Asks who the user is', input: z.object({ message: z.string() }) },
    async ({ message }, ctx) => `User response: ${JSON.stringify(await ctx.elicit(message, person))}`,
  )

  app.tool(
    'test_elicitation_sep1034_defaults',
    { description: 'Asks with a preset for every field' },
    async (_, ctx) => {
      const filled = await ctx.elicit('Please review and update the form fields', presets)
      return `User response: ${JSON.stringify(filled)}`
    },
  )

  app.tool('test_elicitation_sep1330_enums', { description: 'Asks for choices of every kind' }, async (_, ctx) => {
    const filled = await ctx.elicit('Please select options from the fields', choices)
    return `User response: ${JSON.stringify(filled)}`
  })
}
