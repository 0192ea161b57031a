import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod'
import { HttpTransport } from '@tmcp/transport-http'
import { serve } from 'srvx'
import { McpServer } from 'tmcp'
import { z } from 'zod'
import { port } from '../../program/setting.ts'
import { path } from '../../wire/http.ts'

const definition = new McpServer(
  { name: 'tmcp', version: '1.0.0', description: 'A café' },
  { adapter: new ZodJsonSchemaAdapter(), capabilities: { resources: {}, prompts: {} } },
)
definition.resource({ name: 'menu', description: 'What there is', uri: 'cafe://menu' }, (uri) => ({
  contents: [{ uri, text: 'espresso' }],
}))
definition.prompt(
  { name: 'recommend', description: 'A drink for a mood', schema: z.object({ mood: z.string() }) },
  ({ mood }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Who is ${mood} drinks what?` } }] }),
)

const transport = new HttpTransport(definition, { path })

serve({
  hostname: '127.0.0.1',
  port,
  silent: true,
  fetch: async (request) => (await transport.respond(request)) ?? new Response(null, { status: 404 }),
})
