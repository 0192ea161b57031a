import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
} from '@modelcontextprotocol/node'
import { port, withSteps } from '../../program/setting.ts'
import { createDefinition } from './definition.ts'

const sessions = new Map<string, NodeStreamableHTTPServerTransport>()
const validHost = localhostHostValidation()
const validOrigin = localhostOriginValidation()

createServer(async (incoming, outgoing) => {
  if (!validHost(incoming, outgoing) || !validOrigin(incoming, outgoing)) return
  const known = sessions.get(String(incoming.headers['mcp-session-id']))
  const transport = known ?? (await openSession())
  await transport.handleRequest(incoming, outgoing)
}).listen(port, '127.0.0.1')

async function openSession(): Promise<NodeStreamableHTTPServerTransport> {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    enableJsonResponse: !withSteps,
  })
  await createDefinition().connect(transport)
  return transport
}
