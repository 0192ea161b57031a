import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyRevision } from '@trunkline/mcp/testing'
import { z } from 'zod'
import { fresh } from './fresh.ts'

test('arguments that do not fit are the result of the tool where the revision says so, and else a refusal', async () => {
  let ran = 0
  const strict = fresh().tool('half', { input: z.object({ of: z.number() }) }, ({ of }) => {
    ran += 1
    return String(of / 2)
  })
  await everyRevision(strict, async ({ client }) => {
    const call = client.request('tools/call', { name: 'half', arguments: { of: 'ten' } })
    if (client.revision >= '2025-11-25') {
      const { isError, content } = await call
      assert.equal(isError, true)
      assert.match(JSON.stringify(content), /\bof\b/)
    } else await assert.rejects(call, { code: -32602, message: /\bof\b/ })
    assert.equal(ran, 0)
  })
})

test('a result that breaks its own schema is an error of the server, and not a failed tool', async () => {
  const liar = fresh().tool('lie', { output: z.object({ sum: z.number() }) }, () => ({ sum: 'five' }) as never)
  await everyRevision(liar, async ({ client }) => {
    await assert.rejects(client.tools.call('lie', {}), { code: -32603, message: /sum/ })
  })
})

test('a tool that does not exist is a refusal and not a failed tool', async () => {
  await everyRevision(fresh({ declare: ['tools'] }), async ({ client }) => {
    await assert.rejects(client.request('tools/call', { name: 'nothing' }), { code: -32602, message: /"nothing"/ })
  })
})
