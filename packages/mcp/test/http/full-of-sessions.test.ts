import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { server } from '@trunkline/mcp'
import { toFetch } from '@trunkline/mcp/http'
import { openSession, post } from './raw.ts'

test('Sessions: where there is no more room, those that are idle make some, although no timer has swept them', async () => {
  const handler = toFetch(server({ name: 'full', version: '1' }), { sessions: { most: 1, idleMs: 60_000 } })
  const first = await openSession(handler, '2025-11-25')
  const second = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} }
  assert.equal((await post(handler, second)).status, 503)
  const later = performance.now() + 60_001
  mock.method(performance, 'now', () => later)
  await openSession(handler, '2025-11-25')
  mock.restoreAll()
  assert.equal((await post(handler, { jsonrpc: '2.0', id: 1, method: 'ping' }, first)).status, 404)
})
