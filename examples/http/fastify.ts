// region fastify
import { toNode } from '@trunkline/mcp/node'
import fastify from 'fastify'
import { clock } from './clock.ts'

export const app = fastify({ forceCloseConnections: true })
const listener = toNode(clock)

app.all('/mcp', {
  // before Fastify reads the body
  onRequest: async (request, reply) => listener(request.raw, reply.hijack().raw),
  handler: () => {},
})
app.addHook('preClose', () => listener.close())
// endregion
