import { connect } from '@trunkline/mcp'
import { skills } from '@trunkline/mcp/skills'
import { serverNameOf } from '../act/server-key.ts'
import { Chats, type ChatsParts } from '../chat/chats.ts'
import { acceptedInstructions } from '../gateway/instructions.ts'
import type { Host } from './host.ts'

/** Tools of all servers together that a conversation chooses from. */
const maxTools = 1_000_000

/** The conversations of a host, which call its own endpoint as the principal `chat`, with a token like other clients. */
export function hostChats(
  host: Host,
  { onNews, whenConfigured }: Required<Pick<ChatsParts, 'onNews' | 'whenConfigured'>>,
): Chats {
  return new Chats({
    store: host.store,
    models: host.models,
    onNews,
    whenConfigured,
    instructions: () => acceptedInstructions(host.projects.usual.servers(), host.catalogue),
    serverOf: (tool) =>
      host.projects.usual
        .servers()
        .map(serverNameOf)
        .find((server) => tool.startsWith(`${server}__`)),
    async connect() {
      const token = await host.principals.renew('chat')
      const http = { headers: { authorization: `Bearer ${token}` } }
      // the list of this host itself is as long as those of its servers together
      const limits = { maxItemsPerList: maxTools, maxPagesPerList: maxTools }
      return connect(new URL(host.url), { http, limits, extensions: [skills()] })
    },
  })
}
