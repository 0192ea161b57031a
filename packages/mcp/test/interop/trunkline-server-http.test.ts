import '../no-leaks.ts'
import { verifyFeatures } from './pairing.ts'
import { clients } from './transports/http/clients.ts'
import { hosted } from './transports/http/hosted.ts'
import { hostTrunkline } from './transports/http/trunkline.ts'

for (const { name, start, revisions } of clients) {
  for (const revision of revisions) {
    const connect = () => hosted(hostTrunkline, (url) => start(url, revision))
    verifyFeatures({ name: `${name} and our server over HTTP`, revision, server: 'ours', connect })
  }
}
