import assert from 'node:assert/strict'
import { test } from 'node:test'
import { server } from '@trunkline/mcp'
import { everyRevision } from '@trunkline/mcp/testing'
import { tracked } from '../no-leaks.ts'

const fail = (): never => {
  throw new Error('misbehaved')
}
const circular = (): never => {
  const loop: { self?: unknown } = {}
  loop.self = loop
  return loop as never
}
const misbehaviours: { readonly [what: string]: () => never } = {
  throws: fail,
  'rejects with nothing': () => Promise.reject() as never,
  'returns nothing': () => undefined as never,
  'returns a number': () => 5 as never,
  'returns null': () => null as never,
  'returns a circle': circular,
  'returns a list of junk': () => [1, null, 'x'] as never,
}

const keeper = () => server({ name: 'zoo', version: '1', onError: () => {}, onWarning: () => {} })

for (const [what, misbehave] of Object.entries(misbehaviours)) {
  test(`a resource, prompt, completer or list that ${what} fails by itself and harms no other`, async () => {
    const sick = tracked(keeper())
      .tool('healthy', {}, () => 'fine')
      .resource('test:sick', {}, misbehave)
      .template('test:sick/{x}', { complete: { x: misbehave } }, misbehave)
      .prompt('sick', { arguments: [{ name: 'x' }], complete: { x: misbehave } }, misbehave)
    const requests = [
      { method: 'resources/read', params: { uri: 'test:sick' } },
      { method: 'resources/read', params: { uri: 'test:sick/1' } },
      { method: 'prompts/get', params: { name: 'sick' } },
      { method: 'completion/complete', params: completing({ type: 'ref/prompt', name: 'sick' }) },
      { method: 'completion/complete', params: completing({ type: 'ref/resource', uri: 'test:sick/{x}' }) },
    ]
    await everyRevision(sick, async ({ client }) => {
      for (const { method, params } of requests) {
        // junk that JSON can carry is refused by the client, all else by the server
        const isRefused = ({ code }: { code: unknown }): boolean => code === -32603 || code === 'InvalidResponse'
        await assert.rejects(client.request(method, params), isRefused, `${method} ${JSON.stringify(params)}`)
        assert.deepEqual((await client.tools.call('healthy', {})).content, [{ type: 'text', text: 'fine' }])
      }
    })
  })
}

test('a list that cannot be made hides only itself, and a guard that throws fails what it is about', async () => {
  const sick = tracked(keeper())
    .tool('healthy', {}, () => 'fine')
    .tool('guarded', { visible: fail }, () => 'never')
    .template('test:{x}', { list: fail }, () => 'never')
  await everyRevision(sick, async ({ client }) => {
    assert.deepEqual((await client.request('resources/list', {})).resources, [])
    await assert.rejects(client.request('tools/call', { name: 'guarded' }), { code: -32603 })
    await assert.rejects(client.request('tools/list', {}), { code: -32603 })
    assert.deepEqual((await client.tools.call('healthy', {})).content, [{ type: 'text', text: 'fine' }])
  })
})

test('an interceptor that throws is an error of that request', async () => {
  const sick = tracked(keeper())
    .use((next) => (request) => (request.params.name === 'healthy' ? next(request) : fail()))
    .tool('healthy', {}, () => 'fine')
  await everyRevision(sick, async ({ client }) => {
    await assert.rejects(client.request('tools/list', {}), { code: -32603, message: 'Internal error' })
    assert.deepEqual((await client.tools.call('healthy', {})).content, [{ type: 'text', text: 'fine' }])
  })
})

function completing(ref: object) {
  return { ref, argument: { name: 'x', value: '' } }
}
