import assert from 'node:assert/strict'
import { InvalidParams, InvalidRequest, MissingClientCapability, UrlElicitationRequired } from '../../src/index.ts'
import type { Fields } from '../../src/wire/messages.ts'
import { envelope, meta } from './harness/dress.ts'
import type { RawEnd } from './harness/raw-end.ts'
import { said } from './harness/said.ts'
import { verifies } from './verifies.ts'

verifies('_meta: every request explains itself', async ({ open, revision, sent }) => {
  const info = { name: 'me', version: '2.0.0' }
  const client = await open('hotel', { info, roots: [] })
  await client.tools.list().all()
  await client.tools.call('ring', {})
  await client.resources.read('hotel:menu')
  await client.prompts.get('wake', {})
  await client.complete({ template: 'hotel:rooms/{number}', argument: 'number' }, '')
  await (await client.watch({ tools: true }, () => {})).close()
  const requests = sent().filter(({ id }) => id !== undefined)
  assert.equal(requests.length, 7)
  for (const { method, params } of requests) {
    const told = params?._meta as Fields
    assert.equal(told[meta.version], revision, method)
    assert.deepEqual(told[meta.clientCapabilities], { roots: {} }, method)
    assert.deepEqual(told[meta.clientInfo], info, method)
  }
})

verifies('_meta: every request explains itself', async ({ open, revision, sent }) => {
  const info = { name: 'me', version: '2.0.0' }
  const client = await open('hotel', { info, roots: [] })
  const foreign = {
    [meta.version]: '1999-01-01',
    [meta.clientInfo]: { name: 'other', version: '1' },
    'example.com/a': 1,
  }
  await client.tools.call('ring', {}, { meta: foreign })
  const told = sent().find(({ method }) => method === 'tools/call')?.params?._meta as Fields
  assert.deepEqual([told[meta.version], told[meta.clientInfo], told['example.com/a']], [revision, info, 1])
})

/** Error code of a request with this `_meta` and nothing else. */
async function refused(end: RawEnd, _meta: Fields | undefined): Promise<number | undefined> {
  const params = { name: 'ring', ...(_meta && { _meta }) }
  end.send({ jsonrpc: '2.0', id: JSON.stringify(params), method: 'tools/call', params })
  return (await end.answer(JSON.stringify(params))).error?.code
}

verifies('_meta: missing version', async ({ raw, revision }) => {
  const end = await raw('hotel')
  const { [meta.version]: _, ...rest } = envelope(revision)
  for (const told of [undefined, {}, rest]) assert.equal(await refused(end, told), InvalidParams)
})

verifies('_meta: missing capabilities', async ({ raw, revision }) => {
  const end = await raw('hotel')
  assert.equal(await refused(end, { [meta.version]: revision }), InvalidParams)
})

verifies('_meta: malformed', async ({ raw, revision }) => {
  const end = await raw('hotel')
  const good = envelope(revision)
  for (const bad of [
    { [meta.clientCapabilities]: [] },
    { [meta.clientCapabilities]: { sampling: true } },
    { [meta.clientInfo]: { name: 'nobody' } },
    { progressToken: {} },
  ]) {
    assert.equal(await refused(end, { ...good, ...bad }), InvalidParams, JSON.stringify(bad))
  }
})

verifies('_meta: malformed version', async ({ raw, revision }) => {
  const end = await raw('hotel')
  assert.equal(await refused(end, { ...envelope(revision), [meta.version]: 7 }), InvalidParams)
})

verifies('_meta: client info may be missing', async ({ raw, revision }) => {
  const end = await raw('hotel')
  const { [meta.clientInfo]: _, ...rest } = envelope(revision)
  assert.equal(await refused(end, rest), undefined)
})

verifies('_meta: capabilities of this request', async ({ raw }) => {
  const end = await raw('asking')
  const declared = { [meta.clientCapabilities]: { sampling: {} } }
  const result = await end.result('tools/call', { name: 'sample', _meta: declared })
  assert.equal(result.resultType, 'input_required')
  assert.equal((await end.refusal('tools/call', { name: 'sample' })).code, MissingClientCapability)
})

verifies('_meta: none of it after a handshake', async ({ open, sent }) => {
  const client = await open('tools')
  await client.tools.call('echo', {})
  await client.tools.list().all()
  assert.doesNotMatch(JSON.stringify(sent()), /io\.modelcontextprotocol/)
})

verifies('_meta: reaches the handler', async ({ open }) => {
  const client = await open('tools')
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const sent = { traceparent, 'example.com/note': { deep: [1] } }
  const received = JSON.parse(said(await client.tools.call('meta', {}, { meta: sent })))
  assert.equal(received.traceparent, traceparent)
  assert.deepEqual(received['example.com/note'], { deep: [1] })
})

verifies('_meta: of a result', async ({ open }) => {
  const client = await open('tools')
  const { _meta } = await client.tools.call('reply', {})
  assert.equal(_meta?.['example.com/note'], 'noted')
})

const everyRequest: { readonly [method: string]: Fields } = {
  'tools/list': {},
  'tools/call': { name: 'ring' },
  'resources/list': {},
  'resources/templates/list': {},
  'resources/read': { uri: 'hotel:menu' },
  'prompts/list': {},
  'prompts/get': { name: 'wake' },
  'completion/complete': {
    ref: { type: 'ref/resource', uri: 'hotel:rooms/{number}' },
    argument: { name: 'number', value: '' },
  },
}

verifies(['resultType: complete', '_meta: server info on every result'], async ({ raw }) => {
  const end = await raw('hotel')
  for (const [method, params] of Object.entries({ ...everyRequest, 'server/discover': {} })) {
    const { resultType, _meta } = await end.result(method, params)
    assert.equal(resultType, 'complete', method)
    assert.equal(((_meta as Fields)[meta.serverInfo] as Fields).name, 'hotel', method)
  }
})

verifies(['resultType: not after a handshake', '_meta: no server info after a handshake'], async ({ raw }) => {
  const end = await raw('hotel')
  for (const [method, params] of Object.entries({ ...everyRequest, ping: {} })) {
    const result = await end.result(method, params)
    assert.ok(!('resultType' in result) && !('_meta' in result), method)
  }
})

verifies('resultType: absent', async ({ play }) => {
  const client = await play({ 'tools/call': [[{ result: { content: [{ type: 'text', text: 'old' }] } }]] })
  assert.deepEqual((await client.tools.call('any', {})).content, [{ type: 'text', text: 'old' }])
})

verifies('resultType: unknown', async ({ play }) => {
  const client = await play({ 'tools/call': [[{ result: { resultType: 'task', content: [] } }]] })
  await assert.rejects(client.tools.call('any', {}), { name: 'McpError', code: 'InvalidResponse', message: /task/ })
})

verifies('errors: no code of another revision', async ({ raw, revision }) => {
  const end = await raw('asking')
  const { code } = await end.refusal('tools/call', { name: 'sign in first' })
  assert.equal(code, revision === '2025-11-25' ? UrlElicitationRequired : InvalidRequest)
})

verifies('errors: codes are passed on', async ({ play }) => {
  const codes = [-32000, -32019, -32050, -32603, 1, 40_000]
  const refusals = codes.map((code) => ({ code, message: 'No', data: [code] }))
  const client = await play({ 'tools/call': refusals.map((error) => [{ error }]) })
  for (const refusal of refusals) {
    await assert.rejects(client.tools.call('any', {}), { name: 'RpcError', outcome: 'Rejected', ...refusal })
  }
})
