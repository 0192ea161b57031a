import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '../../index.ts'
import { controlMethods } from '../../model/control-methods.ts'
import { Peer } from '../../rpc/peer.ts'
import { memoryPair } from '../../transports/memory.ts'
import type { Fields } from '../../wire/messages.ts'

test('greet: an answer that says nothing shows a server that does not know the question, and hands are shaken', async () => {
  const [near, far] = memoryPair()
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'polite', version: '1' } }
  const request = ({ method }: { method: string }): Fields => (method === 'initialize' ? hello : {})
  new Peer(far, { control: controlMethods, request, notification: () => {} })
  await using mcp = await connect(near)
  assert.deepEqual([mcp.revision, mcp.server?.name], ['2025-11-25', 'polite'])
})

test('greet: reads the name, the version and the instructions of the server', async () => {
  await using mcp = await connect(server({ name: 'open', version: '2', instructions: 'Ask' }))
  assert.deepEqual([mcp.revision, mcp.server, mcp.instructions], ['2026-07-28', { name: 'open', version: '2' }, 'Ask'])
})
