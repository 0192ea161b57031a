import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { contract, MemoryEffectStore } from '@trunkline/mcp/contract'
import { z } from 'zod'
import { revisions } from './revisions.ts'

const extensions = [contract()] as const
const limits = { maxRequestsInFlightPerConnection: 1_000 }

for (const revision of revisions) {
  test(`concurrency [${revision}]: calls by the same argument run one after the other, in order`, async () => {
    const running = new Map<string, number>()
    const order: string[] = []
    let most = 0
    const shop = server({ name: 'shop', version: '1.0.0', extensions, limits }).tool(
      'append',
      { input: z.object({ file: z.string(), line: z.number() }), concurrency: { by: ['file'] } },
      async ({ file, line }) => {
        const now = (running.get(file) ?? 0) + 1
        running.set(file, now)
        most = Math.max(most, now)
        await new Promise((resolve) => setImmediate(resolve))
        order.push(`${file}${line}`)
        running.set(file, now - 1)
        return ''
      },
    )
    await using mcp = await connect(shop, { extensions: [contract()], revisions: [revision] })
    const calls = Array.from({ length: 1_000 }, (_, at) => ({ file: `f${at % 10}`, line: Math.floor(at / 10) }))
    await Promise.all(calls.map((call) => mcp.tools.call('append', call)))
    assert.equal(most, 1)
    for (let file = 0; file < 10; file++) {
      const own = order.filter((entry) => entry.startsWith(`f${file}`))
      assert.deepEqual(
        own,
        Array.from({ length: 100 }, (_, line) => `f${file}${line}`),
      )
    }
  })
}

test('concurrency: beyond the limit a call that would have to wait is refused, and the others are served', async () => {
  const own = [contract({ limits: { maxCallsWaiting: 2 } })] as const
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const shop = server({ name: 'shop', version: '1.0.0', extensions: own }).tool(
    'slow',
    { concurrency: 'serial' },
    async () => {
      await opened
      return 'done'
    },
  )
  await using mcp = await connect(shop, { extensions: [contract()] })
  const calls = Array.from({ length: 5 }, () => mcp.tools.call('slow', {}))
  await assert.rejects(Promise.all(calls), /2 calls are waiting for their turn/)
  open()
  const settled = await Promise.allSettled(calls)
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
  )
})

test('concurrency: calls have their turns in the order of arrival, also those that take longer to be checked', async () => {
  const kept = new MemoryEffectStore()
  const store = {
    async begin(...[effect, expiresAt]: Parameters<MemoryEffectStore['begin']>) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return kept.begin(effect, expiresAt)
    },
    done: kept.done.bind(kept),
    undone: kept.undone.bind(kept),
  }
  const order: number[] = []
  const shop = server({ name: 'shop', version: '1.0.0', extensions: [contract({ store })] as const }).tool(
    'append',
    { input: z.object({ line: z.number() }), concurrency: 'serial' },
    ({ line }) => {
      order.push(line)
      return ''
    },
  )
  await using mcp = await connect(shop, { extensions: [contract()] })
  const keys = [{ idempotencyKey: 'one' }, {}, { idempotencyKey: 'two' }, {}, {}]
  const calls = keys.map((options, line) => mcp.tools.call('append', { line }, options))
  // a repeat of a call that runs has no turn of its own, and holds no call up
  const repeat = mcp.tools.call('append', { line: 0 }, { idempotencyKey: 'one' })
  await Promise.all([...calls, repeat, mcp.tools.call('append', { line: 5 })])
  assert.deepEqual(order, [0, 1, 2, 3, 4, 5])
  await assert.rejects(mcp.tools.call('append', { line: 9 }, { idempotencyKey: 'one' }), /with other arguments/)
  await mcp.tools.call('append', { line: 6 })
  assert.equal(order.at(-1), 6)
})
