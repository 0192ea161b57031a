import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod'
import { McpServer } from 'tmcp'
import { z } from 'zod'
import { steps, toolNames, withSteps } from '../../program/setting.ts'

const schema = z.object({ text: z.string() })
const description = 'Repeats its text'

/** The one server every transport shares. */
export const definition = new McpServer(
  { name: 'tmcp', version: '1.0.0', description: 'Repeats' },
  { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: { listChanged: true } } },
)

for (const name of toolNames)
  definition.tool({ name, description, schema }, ({ text }) => ({ content: [{ type: 'text', text }] }))
if (withSteps)
  definition.tool({ name: 'steps', description, schema }, ({ text }) => {
    for (const progress of steps) definition.progress(progress, steps.length)
    return { content: [{ type: 'text', text }] }
  })
