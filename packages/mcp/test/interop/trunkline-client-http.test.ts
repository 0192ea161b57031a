import '../no-leaks.ts'
import { verifyFeatures } from './pairing.ts'
import { hosted } from './transports/http/hosted.ts'
import { ourClient } from './transports/http/our-client.ts'
import { servers } from './transports/http/servers.ts'

for (const { name, start, revisions } of servers) {
  for (const revision of revisions) {
    const connect = () => hosted(start, (url) => ourClient(url, revision))
    verifyFeatures({ name: `our client and ${name} over HTTP`, revision, server: 'theirs', connect })
  }
}
