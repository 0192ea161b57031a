import assert from 'node:assert/strict'
import { test } from 'node:test'
import { server } from '@trunkline/mcp'
import { type FetchHandler, toFetch } from '@trunkline/mcp/http'
import { gate } from '../gate.ts'
import { openSession, post, resume } from './raw.ts'

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'work', arguments: {} } }
const answered = [{ type: 'text', text: 'done' }]

function working() {
  const { promise: done, open: finish } = gate<string>()
  const app = server({ name: 'far', version: '1' }).tool('work', {}, (_, ctx) => {
    ctx.disconnect()
    return done
  })
  return { handler: toFetch(app), finish }
}

/** The id of the event that tells a client how to come back. */
async function letGo(handler: FetchHandler, session: Record<string, string>): Promise<string> {
  const { text, message } = await post(handler, call, session)
  assert.equal(message, undefined)
  assert.match(text, /^retry: \d+$/m)
  return /^id: (.+)$/m.exec(text)?.[1] ?? ''
}

test('ctx.disconnect: a client that is let go comes back before the answer is there', async () => {
  const { handler, finish } = working()
  const session = await openSession(handler, '2025-11-25')
  const back = resume(handler, await letGo(handler, session), session)
  finish('done')
  assert.deepEqual((await back).message?.result?.content, answered)
})

test('ctx.disconnect: a client that is let go comes back after the answer is there', async () => {
  const { handler, finish } = working()
  const session = await openSession(handler, '2025-11-25')
  const lastEventId = await letGo(handler, session)
  finish('done')
  await post(handler, { jsonrpc: '2.0', id: 2, method: 'ping' }, session)
  const { message } = await resume(handler, lastEventId, session)
  assert.deepEqual(message?.result?.content, answered)
})

for (const revision of ['2025-06-18', '2025-03-26']) {
  test(`ctx.disconnect: nothing happens in ${revision}, whose clients were not told how to come back`, async () => {
    const { handler, finish } = working()
    const answer = post(handler, call, await openSession(handler, revision))
    finish('done')
    assert.deepEqual((await answer).message?.result?.content, answered)
  })
}

test('ctx.disconnect: nothing happens to a request that explains itself, for which it would be the end', async () => {
  const { handler, finish } = working()
  const prefix = 'io.modelcontextprotocol'
  const _meta = { [`${prefix}/protocolVersion`]: '2026-07-28', [`${prefix}/clientCapabilities`]: {} }
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'work' }
  const answer = post(handler, { ...call, params: { ...call.params, _meta } }, headers)
  finish('done')
  assert.deepEqual((await answer).message?.result?.content, answered)
})
