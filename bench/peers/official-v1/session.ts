import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { port, withSteps } from '../../program/setting.ts'
import { createDefinition } from './definition.ts'

const sessions = new Map<string, StreamableHTTPServerTransport>()

createServer(async (incoming, outgoing) => {
  const known = sessions.get(String(incoming.headers['mcp-session-id']))
  const transport = known ?? (await openSession())
  await transport.handleRequest(incoming, outgoing)
}).listen(port, '127.0.0.1')

async function openSession(): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    enableJsonResponse: !withSteps,
  })
  await createDefinition().connect(transport as Transport)
  return transport
}
