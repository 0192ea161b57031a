import '../no-leaks.ts'
import { verifyFeatures } from '../interop/pairing.ts'
import { trunkline } from './drivers/trunkline.ts'
import { hosted } from './hosted.ts'
import type { Hosted } from './hosts/listen.ts'
import { hostV1, hostV1Sse } from './hosts/v1.ts'
import { hostV2 } from './hosts/v2.ts'
import { all, handshakes } from './revisions.ts'

const servers: readonly { name: string; start: () => Promise<Hosted>; revisions: readonly string[] }[] = [
  { name: 'a v1 server', start: hostV1, revisions: handshakes },
  { name: 'a v1 server on a stream', start: hostV1Sse, revisions: handshakes },
  { name: 'a v2 server', start: hostV2, revisions: all },
]

for (const { name, start, revisions } of servers) {
  for (const revision of revisions) {
    const connect = () => hosted(start, (url) => trunkline(url, revision))
    verifyFeatures({ name: `our client and ${name} over HTTP`, revision, server: 'theirs', connect })
  }
}
