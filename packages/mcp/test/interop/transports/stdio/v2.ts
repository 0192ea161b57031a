import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { menu } from '../../servers/fare.ts'
import { kitchen } from '../../servers/kitchen.ts'
import { offerGrown, v2Cafe } from '../../servers/v2.ts'
import { v2SessionCafe } from '../../servers/v2-session.ts'

// it wants a new server for each way of opening the conversation
serveStdio(({ era }) => (era === 'legacy' ? v2SessionCafe() : listenedCafe()))

// listening clients are told by this SDK itself
function listenedCafe() {
  return v2Cafe({
    kitchen: kitchen(),
    grow: offerGrown,
    touch: ({ server }) => server.sendResourceUpdated({ uri: menu.uri }),
  })
}
