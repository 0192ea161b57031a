import { randomUUID } from 'node:crypto'
import { json } from 'node:stream/consumers'
import {
  type NodeIncomingMessageLike,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
  toWebRequest,
} from '@modelcontextprotocol/node'
import { createMcpHandler, isLegacyRequest, type McpHttpHandler, type McpServer } from '@modelcontextprotocol/server'
import { menu } from '../../servers/fare.ts'
import { kitchen } from '../../servers/kitchen.ts'
import { offerGrown, type Place, v2Cafe } from '../../servers/v2.ts'
import { v2SessionCafe } from '../../servers/v2-session.ts'
import { listen, type Remembering } from './listen.ts'
import { Sessions } from './sessions.ts'

/** Version 2 of the official SDK, in every revision at one address. */
export async function hostV2(): Promise<Remembering> {
  const sessions = new Sessions(openSession)
  const stateless = statelessHandler()
  const handle = toNodeHandler(stateless)
  const hosted = await listen(
    async (incoming, outgoing) => {
      const body = incoming.method === 'POST' ? await json(incoming) : undefined
      const message = incoming as NodeIncomingMessageLike
      if (await isLegacyRequest(await toWebRequest(message, body))) await sessions.answer(incoming, outgoing, body)
      else await handle(message, outgoing, body)
    },
    () => Promise.all([sessions.close(), stateless.close()]),
  )
  return { ...hosted, sessions }
}

/** It makes a café for each request, so what they know together lies outside. */
function statelessHandler(): McpHttpHandler {
  let isGrown = false
  const place: Place = {
    kitchen: kitchen(),
    grow() {
      isGrown = true
      handler.notify.toolsChanged()
    },
    touch: async () => handler.notify.resourceUpdated(menu.uri),
  }
  const create = (): McpServer => {
    const cafe = v2Cafe(place)
    if (isGrown) offerGrown(cafe)
    return cafe
  }
  const handler = createMcpHandler(create, { legacy: 'reject' })
  return handler
}

async function openSession(
  sessions: Sessions<NodeStreamableHTTPServerTransport>,
): Promise<NodeStreamableHTTPServerTransport> {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.add(id, transport),
    onsessionclosed: (id) => sessions.remove(id),
  })
  await v2SessionCafe().connect(transport)
  return transport
}
