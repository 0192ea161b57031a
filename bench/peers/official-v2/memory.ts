import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { expectEcho, serveRounds } from '../../program/rounds.ts'
import { createDefinition } from './definition.ts'

const [near, far] = InMemoryTransport.createLinkedPair()
const client = new Client({ name: 'bench', version: '1.0.0' })
await Promise.all([createDefinition().connect(far), client.connect(near)])

serveRounds(async (text) => expectEcho(await client.callTool({ name: 'echo', arguments: { text } }), text))
