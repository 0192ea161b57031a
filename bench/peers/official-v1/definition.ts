import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { steps, toolNames, withSteps } from '../../program/setting.ts'

const tool = { description: 'Repeats its text', inputSchema: { text: z.string() } }

/** One server, which the SDK ties to one transport. */
export function createDefinition(): McpServer {
  const server = new McpServer({ name: 'official-v1', version: '1.0.0' })
  for (const name of toolNames)
    server.registerTool(name, tool, async ({ text }) => ({ content: [{ type: 'text', text }] }))
  if (!withSteps) return server
  server.registerTool('steps', tool, async ({ text }, { _meta, sendNotification }) => {
    for (const progress of steps) {
      const params = { progressToken: _meta?.progressToken ?? 0, progress, total: steps.length }
      await sendNotification({ method: 'notifications/progress', params })
    }
    return { content: [{ type: 'text', text }] }
  })
  return server
}
