import '../no-leaks.ts'
import { peer } from './driver.ts'
import { trunkline } from './drivers/trunkline.ts'
import { verifyFeatures } from './pairing.ts'

const handshakes = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
const servers = [
  { name: 'v1-server', revisions: handshakes },
  { name: 'v2-server', revisions: ['2026-07-28', ...handshakes] },
]

for (const { name, revisions } of servers) {
  for (const revision of revisions) {
    const connect = () => trunkline(peer(name), revision)
    verifyFeatures({ name: `our client and ${name}`, revision, server: 'theirs', connect })
  }
}
