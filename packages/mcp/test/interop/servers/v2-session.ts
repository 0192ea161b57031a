import type { McpServer } from '@modelcontextprotocol/server'
import { menu } from './fare.ts'
import { kitchen } from './kitchen.ts'
import { offerGrown, v2Cafe } from './v2.ts'

/** A new café for one session: this SDK has no subscriptions of its own there. */
export function v2SessionCafe(): McpServer {
  const watched = new Set<string>()
  const cafe = v2Cafe({
    kitchen: kitchen(),
    grow: offerGrown,
    async touch({ server }) {
      if (watched.has(menu.uri)) await server.sendResourceUpdated({ uri: menu.uri })
    },
  })
  cafe.server.setRequestHandler('resources/subscribe', ({ params }) => {
    watched.add(params.uri)
    return {}
  })
  cafe.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    watched.delete(params.uri)
    return {}
  })
  return cafe
}
