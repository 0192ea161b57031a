import '../no-leaks.ts'
import { verifyFeatures } from '../interop/pairing.ts'
import { clients } from './clients.ts'
import { hosted } from './hosted.ts'
import { hostTrunkline } from './hosts/trunkline.ts'

for (const { name, start, revisions } of clients) {
  for (const revision of revisions) {
    const connect = () => hosted(hostTrunkline, (url) => start(url, revision))
    verifyFeatures({ name: `${name} and our server over HTTP`, revision, server: 'ours', connect })
  }
}
