import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { z } from 'zod'
import { everyNumber, exchange, isWhole, lossyProxy, tickRequest } from './cut-call.ts'
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

test('idempotency: the call that came first is the first with its key, also when it takes longer to be read', async () => {
  const taken: number[] = []
  const shop = server({ name: 'shop', version: '1.0.0', extensions }).tool(
    'note',
    { input: z.object({ text: z.string() }), idempotent: 'by key' },
    ({ text }) => {
      taken.push(text.length)
      return ''
    },
  )
  await using mcp = await connect(shop, { extensions: [contract()] })
  const note = (text: string) => mcp.tools.call('note', { text }, { idempotencyKey: 'note-1' })
  const long = 'x'.repeat(3_000_000)
  const [first, second] = await Promise.allSettled([note(long), note('short')])
  assert.deepEqual([first.status, second.status], ['fulfilled', 'rejected'])
  assert.deepEqual(taken, [long.length])
})

test('idempotency: killed at every step, a repeat with the key does nothing twice, and says what is not known', async () => {
  using publisher = new Publisher()
  for (const { point } of killPoints)
    await assert.rejects(publisher.call('pay', point, point), { outcome: 'Unknown' }, point)
  await using mcp = await publisher.start()
  for (const { point, effects } of killPoints) {
    const happened = publisher.effects(point).length
    assert.equal(happened, effects, point)
    const repeat = () => mcp.tools.call('pay', { key: point }, { idempotencyKey: point })
    const { isError, status, isRepeated } = await repeat()
    if (point === 'before it begins') assert.deepEqual([isError, isRepeated], [undefined, undefined], point)
    else if (point === 'when it is recorded') assert.deepEqual([isError, isRepeated], [undefined, true], point)
    else assert.deepEqual([isError, status?.class], [true, 'unknown'], point)
    await repeat()
    const expected = point === 'before it begins' ? 5 : effects
    assert.equal(publisher.effects(point).length, expected, point)
  }
})

test('idempotency: a call that is cut at any byte, there or back, and repeated has its effect once', async () => {
  using publisher = new Publisher()
  using listening = await publisher.listen()
  const { url } = listening
  const whole = async (key: string) => {
    const answer = (await exchange(url, tickRequest(url, key), isWhole)).toString()
    assert.match(answer, /"text":"ticked"/)
    return answer
  }
  const keyOf = (way: string, bytes: number) => `${way}-${String(bytes).padStart(4, '0')}`
  const requestBytes = tickRequest(url, keyOf('there', 0)).length
  await everyNumber(requestBytes + 1, async (bytes) => {
    const key = keyOf('there', bytes)
    await exchange(url, tickRequest(url, key).subarray(0, bytes), () => true)
    await whole(key)
    assert.equal(publisher.effects(key).length, 1, key)
  })
  const answerBytes = (await whole('measure')).length
  await everyNumber(answerBytes, async (bytes) => {
    const key = keyOf('back', bytes)
    await exchange(url, tickRequest(url, key), (came) => came.length >= Math.max(1, bytes))
    assert.match(await whole(key), /"isRepeated":true/)
    assert.equal(publisher.effects(key).length, 1, key)
  })
})

test('idempotency: a client repeats what is unknown with a key, and nothing without one', async () => {
  using publisher = new Publisher()
  using listening = await publisher.listen()
  await using proxy = await lossyProxy(listening.url, 3)
  await using mcp = await connect(proxy.url, { extensions: [contract()] })
  await assert.rejects(mcp.tools.call('tick', { key: 'without' }), { outcome: 'Unknown' })
  const { content } = await mcp.tools.call('tick', { key: 'with' }, { idempotencyKey: true })
  assert.deepEqual(content, [{ type: 'text', text: 'ticked' }])
  assert.deepEqual([publisher.effects('without').length, publisher.effects('with').length], [1, 1])
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
