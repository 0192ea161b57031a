import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { z } from 'zod'
import { killPoints, Publisher } from './killed-call.ts'
import { revisions } from './revisions.ts'

const extensions = [contract()] as const

for (const revision of revisions) {
  test(`idempotency [${revision}]: calls with one key are one call, also at the same time`, async () => {
    let effects = 0
    const shop = server({ name: 'shop', version: '1.0.0', extensions }).tool(
      'pay',
      { input: z.object({ amount: z.number() }), idempotent: 'by key' },
      async ({ amount }) => {
        await new Promise((resolve) => setImmediate(resolve))
        effects += 1
        return `paid ${amount}`
      },
    )
    await using mcp = await connect(shop, { extensions: [contract()], revisions: [revision] })
    const pay = (amount: number) => mcp.tools.call('pay', { amount }, { idempotencyKey: 'order-7' })
    const [first, second] = await Promise.all([pay(5), pay(5)])
    assert.deepEqual(first.content, second.content)
    assert.equal((await pay(5)).isRepeated, true)
    assert.equal(effects, 1)
    await assert.rejects(pay(6), /idempotencyKey was used for a call with other arguments/)
    await mcp.tools.call('pay', { amount: 6 }, { idempotencyKey: true })
    assert.equal(effects, 2)
  })
}

for (const { point, effects } of killPoints.filter((_, at) => at % 4 === 0)) {
  test(`idempotency: killed ${point}, a repeat with the key says that the outcome is unknown, and does nothing`, async () => {
    using publisher = new Publisher()
    await assert.rejects(publisher.call('pay', 'order-7', point), { outcome: 'Unknown' })
    const { isError, status } = await publisher.call('pay', 'order-7')
    assert.deepEqual([isError, status?.class], [true, 'unknown'])
    assert.equal(publisher.effects.length, effects)
  })
}

test('idempotency: an outcome is the same after a restart', async () => {
  using publisher = new Publisher()
  const first = await publisher.call('pay', 'order-8')
  const second = await publisher.call('pay', 'order-8')
  assert.deepEqual(second.content, first.content)
  assert.deepEqual([second.isRepeated, publisher.effects.length], [true, 5])
})

test('idempotency: a key of a megabyte is refused by name', async () => {
  const shop = server({ name: 'shop', version: '1.0.0', extensions }).tool('pay', {}, () => '')
  await using mcp = await connect(shop, { extensions: [contract()] })
  const call = mcp.tools.call('pay', {}, { idempotencyKey: 'x'.repeat(1_000_000) })
  await assert.rejects(call, /contract\.idempotencyKey must have at most 512 characters/)
})

test('idempotency: a server that does not keep the contract is never asked twice', async () => {
  let calls = 0
  const plain = server({ name: 'plain', version: '1.0.0' }).tool('pay', {}, (_, ctx) => {
    calls += 1
    return new Promise((resolve) => ctx.signal.addEventListener('abort', () => resolve(''), { once: true }))
  })
  await using mcp = await connect(plain, { extensions: [contract()] })
  await assert.rejects(mcp.tools.call('pay', {}, { idempotencyKey: 'k', timeoutMs: 20 }), { outcome: 'Unknown' })
  assert.equal(calls, 1)
})

test('idempotency: an outcome is kept for as long as the limit says', async () => {
  let calls = 0
  const brief = [contract({ limits: { maxOutcomeAgeMs: 1 } })] as const
  const shop = server({ name: 'shop', version: '1.0.0', extensions: brief }).tool('pay', {}, () => `${++calls}`)
  await using mcp = await connect(shop, { extensions: [contract()] })
  await mcp.tools.call('pay', {}, { idempotencyKey: 'k' })
  await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal((await mcp.tools.call('pay', {}, { idempotencyKey: 'k' })).isRepeated, undefined)
  assert.equal(calls, 2)
})
