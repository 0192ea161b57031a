import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyRevision } from '@trunkline/mcp/testing'
import { fresh } from './fresh.ts'

const names = ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'valueOf', 'prototype']

for (const name of names) {
  test(`"${name}" is not there unless it was offered`, async () => {
    const plain = fresh()
      .tool('other', {}, () => 'other')
      .prompt('other', { arguments: [{ name: 'x' }], complete: { x: () => [] } }, () => 'other')
      .resource('test:other', {}, () => 'other')
    await everyRevision(plain, async ({ client }) => {
      await assert.rejects(client.request('tools/call', { name, arguments: {} }), { code: -32602 })
      await assert.rejects(client.request('prompts/get', { name }), { code: -32602 })
      await assert.rejects(client.resources.read(name), ({ code }) => code === -32602 || code === -32002)
      await assert.rejects(client.request(name, {}), { code: 'Unsupported' })
      assert.deepEqual((await client.complete({ prompt: 'other', argument: name }, '')).values, [])
    })
  })

  test(`"${name}" can be offered like any other name`, async () => {
    const named = fresh()
      .tool(name, {}, () => 'here')
      .prompt(name, {}, () => 'here')
    await everyRevision(named, async ({ client }) => {
      assert.deepEqual(
        (await client.tools.list().all()).map((tool) => tool.name),
        [name],
      )
      assert.deepEqual((await client.tools.call(name as never, {} as never)).content, [{ type: 'text', text: 'here' }])
      assert.equal((await client.prompts.get(name as never, {} as never)).messages.length, 1)
    })
  })
}

test('arguments named like members of every object arrive as they are', async () => {
  const echo = fresh().tool('echo', {}, (input) => JSON.stringify(input))
  const input = JSON.parse('{"__proto__":{"admin":true},"constructor":1}')
  await everyRevision(echo, async ({ client }) => {
    const { content } = await client.tools.call('echo', input)
    assert.deepEqual(content, [{ type: 'text', text: '{"__proto__":{"admin":true},"constructor":1}' }])
    assert.equal(({} as { admin?: unknown }).admin, undefined)
  })
})
