import { InMemoryTransport } from '@tmcp/transport-in-memory'
import { expectEcho, serveRounds } from '../../program/rounds.ts'
import { definition } from './definition.ts'

const session = new InMemoryTransport(definition).session()
await session.initialize('2025-06-18', {}, { name: 'bench', version: '1.0.0' })

serveRounds(async (text) => expectEcho(await session.callTool('echo', { text }), text))
