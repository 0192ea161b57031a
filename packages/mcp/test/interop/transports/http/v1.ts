import { randomUUID } from 'node:crypto'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { v1Cafe } from '../../servers/v1.ts'
import { listen, type Remembering } from './listen.ts'
import { Sessions } from './sessions.ts'

/** Version 1 of the official SDK at one address, and its sessions. */
export async function hostV1(): Promise<Remembering> {
  const sessions = new Sessions(openSession)
  const hosted = await listen(
    (incoming, outgoing) => sessions.answer(incoming, outgoing),
    () => sessions.close(),
  )
  return { ...hosted, sessions }
}

async function openSession(sessions: Sessions<StreamableHTTPServerTransport>): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.add(id, transport),
    onsessionclosed: (id) => sessions.remove(id),
  })
  await v1Cafe().connect(transport as Transport)
  return transport
}

/** Version 1 of the official SDK in its older way: a stream at one address, and another one to post to. */
export async function hostV1Sse(): Promise<Remembering> {
  const sessions = new Map<string, SSEServerTransport>()
  const hosted = await listen(
    async (incoming, outgoing) => {
      const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://localhost')
      if (pathname === '/mcp' && incoming.method === 'GET') {
        const transport = new SSEServerTransport('/post', outgoing)
        sessions.set(transport.sessionId, transport)
        outgoing.once('close', () => sessions.delete(transport.sessionId))
        return v1Cafe().connect(transport)
      }
      const session = pathname === '/post' ? sessions.get(searchParams.get('sessionId') ?? '') : undefined
      if (!session) return void outgoing.writeHead(pathname === '/mcp' ? 405 : 404).end()
      await session.handlePostMessage(incoming, outgoing)
    },
    () => Promise.all([...sessions.values()].map((transport) => transport.close())),
  )
  return { ...hosted, sessions }
}
