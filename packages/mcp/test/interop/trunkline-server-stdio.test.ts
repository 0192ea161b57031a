import '../no-leaks.ts'
import { verifyFeatures } from './pairing.ts'
import { clients } from './transports/stdio/clients.ts'
import { program } from './transports/stdio/program.ts'

for (const { name, start, revisions } of clients) {
  for (const revision of revisions) {
    const connect = () => start(program('trunkline', revision), revision)
    verifyFeatures({ name: `${name} and our server`, revision, server: 'ours', connect })
  }
}
