import '../no-leaks.ts'
import { type Driver, type Program, peer } from './driver.ts'
import { trunkline } from './drivers/trunkline.ts'
import { v1 } from './drivers/v1.ts'
import { v2 } from './drivers/v2.ts'
import { verifyFeatures } from './pairing.ts'

type Start = (program: Program, revision: string) => Promise<Driver>

const handshakes = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
const all = ['2026-07-28', ...handshakes]
const clients: readonly { name: string; start: Start; revisions: readonly string[] }[] = [
  { name: 'v1 client', start: v1, revisions: handshakes },
  { name: 'v2 client', start: v2, revisions: all },
  { name: 'our client', start: trunkline, revisions: all },
]

for (const { name, start, revisions } of clients) {
  for (const revision of revisions) {
    const connect = () => start(peer('trunkline-server', revision), revision)
    verifyFeatures({ name: `${name} and our server`, revision, server: 'ours', connect })
  }
}
