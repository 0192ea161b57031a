import { McpServer } from 'mcp-lite'
import { z } from 'zod'
import { steps, toolNames, withSteps } from '../../program/setting.ts'

const inputSchema = z.object({ text: z.string() })
const description = 'Repeats its text'

/** The one server every request shares. */
export const definition = new McpServer({
  name: 'mcp-lite',
  version: '1.0.0',
  schemaAdapter: (schema) => z.toJSONSchema(schema as z.ZodType),
})

for (const name of toolNames)
  definition.tool(name, {
    description,
    inputSchema,
    handler: ({ text }) => ({ content: [{ type: 'text', text }] }),
  })
if (withSteps)
  definition.tool('steps', {
    description,
    inputSchema,
    handler: async ({ text }, ctx) => {
      for (const progress of steps) await ctx.progress?.({ progress, total: steps.length })
      return { content: [{ type: 'text', text }] }
    },
  })
