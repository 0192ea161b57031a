import { connect } from '@trunkline/mcp'
import { skills } from '@trunkline/mcp/skills'
import { Chats, type ChatsParts } from '../chat/chats.ts'
import { acceptedInstructions } from '../gateway/instructions.ts'
import type { Host } from './host.ts'

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
    async connect() {
      const token = await host.principals.renew('chat')
      const http = { headers: { authorization: `Bearer ${token}` } }
      return connect(new URL(host.url), { http, extensions: [skills()] })
    },
  })
}
