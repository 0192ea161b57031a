import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { killPoints, Publisher } from './killed-call.ts'
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

for (const { point, effects, isKnown } of killPoints) {
  test(`partial failure: killed ${point}, a repeat goes on or says what is unknown, and nothing happens twice`, async () => {
    using publisher = new Publisher()
    await assert.rejects(publisher.call('publish', 'release-7', point), { outcome: 'Unknown' })
    assert.equal(publisher.effects.length, effects)
    const result = await publisher.call('publish', 'release-7')
    if (isKnown) {
      assert.deepEqual([result.isError, publisher.effects.join('')], [undefined, 'abcde'])
    } else {
      assert.equal(result.isError, true)
      assert.equal(result.steps?.at(-1)?.state, 'unknown')
      assert.equal(publisher.effects.length, effects)
    }
    const again = await publisher.call('publish', 'release-7')
    assert.equal(new Set(publisher.effects).size, publisher.effects.length)
    assert.deepEqual(again.content, result.content)
  })
}

test('partial failure: what cannot be undone is reported, and the others are undone all the same', async () => {
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
