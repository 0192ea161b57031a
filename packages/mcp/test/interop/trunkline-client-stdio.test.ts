import '../no-leaks.ts'
import { trunkline } from './drivers/trunkline.ts'
import { verifyFeatures } from './pairing.ts'
import { all, handshakes } from './revisions.ts'
import { program } from './transports/stdio/program.ts'

const servers = [
  { name: 'v1', revisions: handshakes },
  { name: 'v2', revisions: all },
] as const

for (const { name, revisions } of servers) {
  for (const revision of revisions) {
    const connect = () => trunkline(program(name), revision)
    verifyFeatures({ name: `our client and ${name}-server`, revision, server: 'theirs', connect })
  }
}
