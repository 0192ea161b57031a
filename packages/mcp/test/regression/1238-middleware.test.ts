import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ClientHandler, type Interceptor, InvalidParams, RpcError, type ServerHandler } from '@trunkline/mcp'
import { everyRevision, join } from '@trunkline/mcp/testing'
import { fresh } from './fresh.ts'

test('interceptors of a server see every request, the first one outermost', async () => {
  const seen: string[] = []
  const note =
    (name: string): Interceptor<ServerHandler> =>
    (next) =>
    async (request) => {
      seen.push(`${name} before ${request.method}`)
      const result = await next(request)
      seen.push(`${name} after`)
      return result
    }
  const noted = fresh()
    .use(note('outer'))
    .use(note('inner'))
    .tool('echo', {}, () => {
      seen.push('tool')
      return 'hi'
    })
  await everyRevision(noted, async ({ client }) => {
    seen.length = 0
    await client.tools.call('echo', {})
    assert.deepEqual(seen, ['outer before tools/call', 'inner before tools/call', 'tool', 'inner after', 'outer after'])
  })
})

test('an interceptor can refuse, answer instead, and knows the caller', async () => {
  const guarded = fresh()
    .use((next) => (request) => {
      if (request.params.name === 'secret') throw new RpcError(InvalidParams, `Not for ${request.caller.info?.name}`)
      if (request.params.name === 'cached') return { content: [{ type: 'text', text: 'from the cache' }] }
      return next(request)
    })
    .tool('secret', {}, () => assert.fail('ran'))
    .tool('cached', {}, () => assert.fail('ran'))
  await everyRevision(
    guarded,
    async ({ client }) => {
      await assert.rejects(client.tools.call('secret', {}), { code: InvalidParams, message: 'Not for Bob' })
      assert.deepEqual((await client.tools.call('cached', {})).content, [{ type: 'text', text: 'from the cache' }])
    },
    { info: { name: 'Bob', version: '1' } },
  )
})

test('interceptors of a client see and change its requests', async () => {
  const echo = fresh().tool('echo', {}, ({ text }) => String(text))
  const shout: Interceptor<ClientHandler> = (next) => (request) =>
    next({ ...request, params: { ...request.params, arguments: { text: 'HI' } } })
  await using both = await join(echo, { use: [shout] })
  assert.deepEqual((await both.client.tools.call('echo', { text: 'hi' })).content, [{ type: 'text', text: 'HI' }])
})
