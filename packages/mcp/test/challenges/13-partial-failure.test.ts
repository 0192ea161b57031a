import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { contract, MemoryEffectStore } from '@trunkline/mcp/contract'
import { killPoints, Publisher, undoPoints } from './killed-call.ts'
import { revisions } from './revisions.ts'

const extensions = [contract()] as const

for (const revision of revisions) {
  test(`partial failure [${revision}]: of five steps the failed one undoes those before it, the last first`, async () => {
    const log: string[] = []
    const shop = server({ name: 'shop', version: '1.0.0', extensions }).tool('publish', {}, async (_, ctx) => {
      for (const name of ['a', 'b', 'c', 'd', 'e'])
        await ctx.step(
          name,
          () => {
            if (name === 'd') throw new Error('the disk is full')
            log.push(name)
          },
          () => {
            log.push(`not ${name}`)
          },
        )
      return 'done'
    })
    await using mcp = await connect(shop, { extensions: [contract()], revisions: [revision] })
    const result = await mcp.tools.call('publish', {})
    assert.equal(result.isError, true)
    assert.deepEqual(log, ['a', 'b', 'c', 'not c', 'not b', 'not a'])
    assert.deepEqual(result.steps, [
      { name: 'a', state: 'undone' },
      { name: 'b', state: 'undone' },
      { name: 'c', state: 'undone' },
      { name: 'd', state: 'failed', why: 'the disk is full' },
    ])
  })
}

test('partial failure: killed at every step, a repeat goes on or says what is unknown, and nothing happens twice', async () => {
  using publisher = new Publisher()
  for (const { point } of killPoints)
    await assert.rejects(publisher.call('publish', point, point), { outcome: 'Unknown' }, point)
  await using mcp = await publisher.start()
  for (const { point, effects, isKnown } of killPoints) {
    assert.equal(publisher.effects(point).length, effects, point)
    const repeat = () => mcp.tools.call('publish', { key: point }, { idempotencyKey: point })
    const result = await repeat()
    const all = publisher.effects(point)
    if (isKnown) {
      assert.deepEqual([result.isError, all.join('')], [undefined, 'abcde'], point)
    } else {
      // steps done for certain are undone, and the one with an unknown outcome is neither repeated nor undone
      const done = ['a', 'b', 'c', 'd', 'e'].slice(0, (result.steps?.length ?? 0) - 1)
      assert.deepEqual([result.isError, result.steps?.at(-1)?.state], [true, 'unknown'], point)
      assert.deepEqual(all.slice(effects), done.map((step) => `not ${step}`).reverse(), point)
    }
    assert.deepEqual((await repeat()).content, result.content, point)
    assert.equal(new Set(all).size, all.length, point)
    assert.deepEqual(publisher.effects(point), all, point)
  }
})

test('partial failure: killed while steps are undone, a repeat undoes the rest and says what is unknown', async () => {
  using publisher = new Publisher()
  for (const { point } of undoPoints)
    await assert.rejects(publisher.call('fail', point, point), { outcome: 'Unknown' }, point)
  await using mcp = await publisher.start()
  for (const { point, step } of undoPoints) {
    const { isError, steps } = await mcp.tools.call('fail', { key: point }, { idempotencyKey: point })
    const before = ['a', 'b', 'c', 'd'].slice(0, 'abcd'.indexOf(step))
    assert.deepEqual(
      [isError, steps?.map(({ name, state }) => `${name} ${state}`)],
      [true, [...before.map((each) => `${each} undone`), `${step} unknown`]],
      point,
    )
    const all = publisher.effects(point)
    assert.equal(new Set(all).size, all.length, `${point}: nothing happens twice, and nothing is undone twice`)
    assert.deepEqual(all.slice(-before.length || all.length), before.map((each) => `not ${each}`).reverse(), point)
  }
})

test('partial failure: a step that cannot be undone is reported, and the others are undone all the same', async () => {
  const undone: string[] = []
  const shop = server({ name: 'shop', version: '1.0.0', extensions }).tool('move', {}, async (_, ctx) => {
    await ctx.step(
      'copy',
      () => 1,
      () => undone.push('copy'),
    )
    await ctx.step(
      'notify',
      () => 2,
      () => {
        throw new Error('it was read')
      },
    )
    throw new Error('no room')
  })
  await using mcp = await connect(shop, { extensions: [contract()] })
  assert.deepEqual((await mcp.tools.call('move', {})).steps, [
    { name: 'copy', state: 'undone' },
    { name: 'notify', state: 'undo failed', why: 'it was read' },
  ])
  assert.deepEqual(undone, ['copy'])
})

test('partial failure: a name twice and the step after the last one are mistakes, and what was done is undone', async () => {
  let left = 0
  const shop = server({ name: 'shop', version: '1.0.0', extensions, onError: () => {} })
    .tool('twice', {}, async (_, ctx) => {
      await ctx.step(
        'a',
        () => left++,
        () => left--,
      )
      await ctx.step('a', () => left++)
      return ''
    })
    .tool('endless', {}, async (_, ctx) => {
      for (let at = 0; at < 10_000; at++)
        await ctx.step(
          `${at}`,
          () => left++,
          () => left--,
        )
      return ''
    })
  await using mcp = await connect(shop, { extensions: [contract()] })
  assert.match(JSON.stringify((await mcp.tools.call('twice', {})).content), /this call has one of that name/)
  assert.match(JSON.stringify((await mcp.tools.call('endless', {})).content), /a call has at most 1000/)
  assert.equal(left, 0)
})

test('partial failure: a step that happened and cannot be recorded is undone, and not said to have failed', async () => {
  const kept = new MemoryEffectStore()
  const full: MemoryEffectStore['done'] = async (effect, value) => {
    if (effect.key === 'step b' && value === 'b') throw new Error('the disk of the store is full')
    await kept.done(effect, value)
  }
  const store = { begin: kept.begin.bind(kept), undone: kept.undone.bind(kept), done: full }
  const world: string[] = []
  const own = [contract({ store })] as const
  const shop = server({ name: 'shop', version: '1.0.0', extensions: own, onError: () => {} }).tool(
    'publish',
    { idempotent: 'by steps' },
    async (_, ctx) => {
      for (const name of ['a', 'b', 'c'])
        await ctx.step(
          name,
          () => {
            world.push(name)
            return name
          },
          () => void world.pop(),
        )
      return 'done'
    },
  )
  await using mcp = await connect(shop, { extensions: [contract()] })
  const { isError, steps } = await mcp.tools.call('publish', {}, { idempotencyKey: 'k' })
  assert.deepEqual([isError, world], [true, []])
  assert.deepEqual(
    steps?.map(({ name, state }) => `${name} ${state}`),
    ['a undone', 'b undone'],
  )
})
