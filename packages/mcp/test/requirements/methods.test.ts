import assert from 'node:assert/strict'
import { InvalidParams, MethodNotFound } from '../../src/index.ts'
import { verifies } from './verifies.ts'

verifies('base: unknown method', async ({ raw }) => {
  const end = await raw('tools')
  for (const method of ['unheard/of', 'tools/List', '', 'constructor', '__proto__']) {
    assert.equal((await end.refusal(method)).code, MethodNotFound, method)
  }
})

verifies('base: methods without a handshake', async ({ raw }) => {
  const end = await raw('tools')
  const gone = ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']
  const never = ['tasks/list', 'sampling/createMessage', 'elicitation/create', 'roots/list']
  for (const method of [...gone, ...never]) assert.equal((await end.refusal(method)).code, MethodNotFound, method)
})

verifies('base: methods with a handshake', async ({ raw }) => {
  const end = await raw('tools')
  for (const method of ['server/discover', 'subscriptions/listen']) {
    assert.equal((await end.refusal(method)).code, MethodNotFound, method)
  }
})

const features = {
  'tools/list': {},
  'tools/call': { name: 'any' },
  'resources/list': {},
  'resources/templates/list': {},
  'resources/read': { uri: 'test:any' },
  'prompts/list': {},
  'prompts/get': { name: 'any' },
  'completion/complete': { ref: { type: 'ref/prompt', name: 'any' }, argument: { name: 'a', value: '' } },
}

verifies('base: undeclared feature', async ({ raw }) => {
  const end = await raw('bare')
  for (const [method, params] of Object.entries(features)) {
    assert.equal((await end.refusal(method, params)).code, MethodNotFound, method)
  }
})

verifies('base: client keeps to what is declared', async ({ open, sent }) => {
  const client = await open('bare')
  const refused = { name: 'McpError', code: 'Unsupported', outcome: 'NotSent' }
  await assert.rejects(client.tools.call('any', {}), refused)
  await assert.rejects(client.resources.read('test:any'), refused)
  await assert.rejects(client.prompts.list().all(), refused)
  await assert.rejects(client.request('unheard/of', {}), refused)
  assert.deepEqual(sent('tools/call'), [])
})

verifies('base: bad params', async ({ raw }) => {
  const end = await raw('tools')
  for (const given of [[], 'text']) {
    const { code } = await end.refusal('tools/call', { name: 'echo', arguments: given })
    assert.equal(code, InvalidParams, JSON.stringify(given))
  }
  assert.equal((await end.refusal('tools/list', { cursor: 7 })).code, InvalidParams)
})

verifies('base: missing name', async ({ raw }) => {
  const end = await raw('tools')
  for (const params of [{}, { name: 7 }]) assert.equal((await end.refusal('tools/call', params)).code, InvalidParams)
})

verifies('base: unknown members', async ({ raw, play }) => {
  const end = await raw('tools')
  const params = { name: 'echo', arguments: { text: 'hi' }, 'x-unknown': { deep: [1] } }
  end.send({ ...end.request('tools/call', params, 'extra'), extra: true })
  assert.ok((await end.answer('extra')).result)
  const client = await play({ 'tools/call': [[{ extra: true, result: { content: [], 'x-unknown': 7 } }]] })
  assert.deepEqual((await client.tools.call('any', {})).content, [])
})
