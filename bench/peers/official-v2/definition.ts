import { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { steps, toolNames, withSteps } from '../../program/setting.ts'

// built once outside the factory, which is faster than the documented place inside it
const inputSchema = z.object({ text: z.string() })
const tool = { description: 'Repeats its text', inputSchema }

/** The factory the SDK calls for every request or connection. */
export function createDefinition(): McpServer {
  const server = new McpServer({ name: 'official-v2', version: '1.0.0' })
  for (const name of toolNames)
    server.registerTool(name, tool, async ({ text }) => ({ content: [{ type: 'text', text }] }))
  if (!withSteps) return server
  server.registerTool('steps', tool, async ({ text }, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken ?? 0
    for (const progress of steps) {
      const params = { progressToken, progress, total: steps.length }
      await ctx.mcpReq.notify({ method: 'notifications/progress', params })
    }
    return { content: [{ type: 'text', text }] }
  })
  return server
}
