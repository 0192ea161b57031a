import { serve } from '@hono/node-server'
import { InMemorySessionAdapter, McpServer, StreamableHttpTransport } from 'mcp-lite'
import { port } from '../../program/setting.ts'

const definition = new McpServer({ name: 'mcp-lite', version: '1.0.0' })
  .resource('cafe://menu', { name: 'menu' }, async ({ href }) => ({
    contents: [{ type: 'text', uri: href, text: 'espresso' }],
  }))
  .prompt<{ mood: string }>('recommend', {
    arguments: [{ name: 'mood', required: true }],
    handler: ({ mood }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Who is ${mood} drinks what?` } }],
    }),
  })

const sessionAdapter = new InMemorySessionAdapter({ maxEventBufferSize: 1024 })
const answer = new StreamableHttpTransport({ sessionAdapter }).bind(definition)

serve({ hostname: '127.0.0.1', port, fetch: (request) => answer(request) })
