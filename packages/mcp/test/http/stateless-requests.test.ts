import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HeaderMismatch, InvalidParams, server, UnsupportedVersion } from '@trunkline/mcp'
import { toFetch } from '@trunkline/mcp/http'
import { openSession, post } from './raw.ts'

const prefix = 'io.modelcontextprotocol'
const revision = '2026-07-28'
const form = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const

const handler = toFetch(
  server({ name: 'near', version: '1', onWarning: () => {} })
    .tool('greet', {}, async (_, ctx) => `Hello, ${(await ctx.elicit('Your name?', form, { key: 'name' })).name}`)
    .tool('fickle', {}, async (_, ctx) => JSON.stringify(await ctx.roots({ key: 'where' }))),
)

const meta = (version: string) => ({
  [`${prefix}/protocolVersion`]: version,
  [`${prefix}/clientCapabilities`]: { elicitation: {}, roots: {} },
})

const discover = (params?: object) => ({
  jsonrpc: '2.0',
  id: 'd',
  method: 'server/discover',
  ...(params && { params }),
})

function headers(version: string, method = 'server/discover', name?: string): Record<string, string> {
  return { 'mcp-protocol-version': version, 'mcp-method': method, ...(name !== undefined && { 'mcp-name': name }) }
}

function call(tool: string, more: object = {}) {
  const params = { name: tool, arguments: {}, ...more, _meta: meta(revision) }
  return post(handler, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers(revision, 'tools/call', tool))
}

for (const params of [undefined, {}, { _meta: {} }]) {
  test(`Endpoint: a request whose header alone names its revision is refused as such: ${JSON.stringify(params)}`, async () => {
    const { status, message } = await post(handler, discover(params), headers(revision))
    assert.deepEqual([status, message?.id, message?.error?.code], [400, 'd', InvalidParams])
  })
}

test('Endpoint: a request in a session needs no envelope, and one without either is told about the session', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  assert.equal((await post(handler, list, await openSession(handler, '2025-11-25'))).status, 200)
  const { status, message } = await post(handler, list, headers('2025-11-25'))
  assert.equal(status, 400)
  assert.match(message?.error?.message ?? '', /mcp-session-id/)
})

test('Endpoint: a handshake opens a session whatever revision the header names', async () => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  const opening = { jsonrpc: '2.0', id: 0, method: 'initialize', params }
  const { status, message } = await post(handler, opening, headers(revision, 'initialize'))
  assert.deepEqual([status, message?.result?.protocolVersion], [200, '2025-11-25'])
})

test('dialectOf: header and body that name different revisions disagree, even when one of them is unknown', async () => {
  const { status, message } = await post(handler, discover({ _meta: meta('2999-01-01') }), headers(revision))
  assert.deepEqual([status, message?.error?.code], [400, HeaderMismatch])
})

test('dialectOf: an unknown revision that header and body agree on is unsupported', async () => {
  const { status, message } = await post(handler, discover({ _meta: meta('2999-01-01') }), headers('2999-01-01'))
  assert.deepEqual([status, message?.error?.code], [400, UnsupportedVersion])
})

test('ctx.elicit: a question travels by the name its author gave it', async () => {
  const { message } = await call('greet')
  assert.deepEqual(Object.keys(message?.result?.inputRequests ?? {}), ['name'])
})

test('ctx.elicit: an answer that came before it was asked for saves a round', async () => {
  const answer = { action: 'accept', content: { name: 'Ada' } }
  const { message } = await call('greet', { inputResponses: { name: answer, other: answer } })
  assert.deepEqual(message?.result?.content, [{ type: 'text', text: 'Hello, Ada' }])
})

test('ctx.elicit: an answer to something else is ignored, and the question asked', async () => {
  const answer = { action: 'accept', content: { name: 'Ada' } }
  const { message } = await call('greet', { inputResponses: { other: answer } })
  assert.equal(message?.result?.resultType, 'input_required')
})

test('ctx.roots: an answer of another kind than was asked for is refused', async () => {
  const { message } = await call('fickle', { inputResponses: { where: { action: 'accept', content: {} } } })
  assert.equal(message?.error?.code, InvalidParams)
  assert.match(message?.error?.message ?? '', /inputResponses\.where/)
})
