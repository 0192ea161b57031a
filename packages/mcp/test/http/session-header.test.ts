import assert from 'node:assert/strict'
import { test } from 'node:test'
import { server } from '@trunkline/mcp'
import { toFetch } from '@trunkline/mcp/http'
import { openSession, post } from './raw.ts'

const name = 'mcp-session-id'

for (const revision of ['2025-11-25', '2025-06-18', '2025-03-26']) {
  test(`${revision}: the answer to the handshake names the session, and no other does`, async () => {
    const handler = toFetch(server({ name: 'near', version: '1' }).tool('hello', {}, () => 'Hello'))
    const session = await openSession(handler, revision)
    assert.match(session[name] ?? '', /^[!-~]{16,}$/)
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hello' } }
    const { status, headers, message } = await post(handler, call, session)
    assert.equal(status, 200)
    assert.deepEqual(message?.result?.content, [{ type: 'text', text: 'Hello' }])
    assert.equal(headers.get(name), null)
  })
}
