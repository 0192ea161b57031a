import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { revisions } from './revisions.ts'

const extensions = [contract()] as const

for (const revision of revisions) {
  test(`deadlines [${revision}]: a deadline ends a call with an answer and aborts its handler`, async () => {
    let reason: unknown
    const shop = server({ name: 'shop', version: '1.0.0', extensions }).tool(
      'wait',
      { timeoutMs: 20 },
      async (_, ctx) => {
        assert.ok(ctx.deadline)
        await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true }))
        reason = ctx.signal.reason
        return 'late'
      },
    )
    await using mcp = await connect(shop, { extensions: [contract()], revisions: [revision] })
    const result = await mcp.tools.call('wait', {})
    assert.deepEqual([result.isError, result.status], [true, { code: 124, class: 'timeout' }])
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal((reason as Error).name, 'TimeoutError')
  })
}

test('deadlines: over three hops the innermost gives up first, and nothing runs on', async () => {
  const ended: string[] = []
  const inner = server({ name: 'inner', version: '1.0.0', extensions }).tool('wait', {}, async (_, ctx) => {
    await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true }))
    ended.push('inner')
    return ''
  })
  const hop = async (next: typeof inner, name: string) => {
    const mcp = await connect(next, { extensions: [contract()] })
    const own = server({ name, version: '1.0.0', extensions }).tool('wait', {}, async (_, ctx) => {
      const { status } = await mcp.tools.call('wait', {}, { deadline: ctx.deadline })
      ended.push(name)
      return `${name}: ${status?.class}`
    })
    return { own, mcp }
  }
  const middle = await hop(inner, 'middle')
  const outer = await hop(middle.own, 'outer')
  await using mcp = await connect(outer.own, { extensions: [contract()] })
  const { content } = await mcp.tools.call('wait', {}, { deadlineMs: 1_000 })
  assert.deepEqual(content, [{ type: 'text', text: 'outer: undefined' }])
  assert.deepEqual(ended, ['inner', 'middle', 'outer'])
  await middle.mcp.close()
  await outer.mcp.close()
})

test('deadlines: one that has passed is not sent, and an absurd one is refused by name', async () => {
  let calls = 0
  const shop = server({ name: 'shop', version: '1.0.0', extensions }).tool('count', {}, () => `${++calls}`)
  await using mcp = await connect(shop, { extensions: [contract()] })
  const past = mcp.tools.call('count', {}, { deadline: new Date(Date.now() - 1) })
  await assert.rejects(past, { code: 'Timeout', outcome: 'NotSent' })
  const meta = { 'dev.trunkline/contract': { deadlineMs: 1e300 } }
  await assert.rejects(
    mcp.tools.call('count', {}, { meta }),
    /contract\.deadlineMs must be a number above 0, at most 2147483647/,
  )
  assert.equal(calls, 0)
})
