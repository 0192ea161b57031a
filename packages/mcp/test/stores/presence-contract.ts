import assert from 'node:assert/strict'
import type { ProcessFacts } from '../../src/stores/cluster.ts'
import type { On, Shared } from './stores-contract.ts'

const lease = 60_000

/** A process that seals with the first of some keys. */
export function facts(epoch: string, ...sealingKeys: readonly string[]): ProcessFacts {
  return { epoch, server: 'weather "é\u0000"', sealingKeys }
}

/** Promises of every presence. */
export function presenceContract(on: On<Shared>): void {
  on('a beat tells the processes that live, the time and the generation', async ({ presence }) => {
    const first = await presence.beat(facts('a', 'k2', 'k1'), lease)
    assert.deepEqual(first.live, [facts('a', 'k2', 'k1')])
    const { live, now, generation } = await presence.beat(facts('b'), lease)
    assert.deepEqual(byEpoch(live), [facts('a', 'k2', 'k1'), facts('b')])
    assert.ok(Math.abs(now - Date.now()) < 60_000, `${now}`)
    assert.match(generation, /^[\w-]{4,64}$/)
    assert.equal(generation, first.generation)
  })

  on('a beat replaces the keys of a process', async ({ presence }) => {
    await presence.beat(facts('a', 'k1'), lease)
    assert.deepEqual((await presence.beat(facts('a', 'k2', 'k1'), lease)).live, [facts('a', 'k2', 'k1')])
  })

  on('a process whose lease is over does not live, until it beats again', async ({ presence }) => {
    await presence.beat(facts('a'), 0)
    assert.equal(await presence.isLive('a'), false)
    assert.deepEqual((await presence.beat(facts('b'), lease)).live, [facts('b')])
    assert.deepEqual(byEpoch((await presence.beat(facts('a'), lease)).live), [facts('a'), facts('b')])
    assert.equal(await presence.isLive('a'), true)
    assert.equal(await presence.isLive('never there'), false)
  })

  on('a process that leaves is gone with its inbox', async ({ presence, inbox }) => {
    await presence.beat(facts('a'), lease)
    await inbox.post(['a'], 'one')
    await presence.leave('a')
    await presence.leave('never there')
    assert.equal(await presence.isLive('a'), false)
    assert.deepEqual(await inbox.post(['a'], 'two'), [])
    assert.deepEqual(await inbox.take('a', 0), [])
    await presence.beat(facts('a'), lease)
    assert.deepEqual(await inbox.take('a', 0), [])
  })
}

function byEpoch(live: readonly ProcessFacts[]): readonly ProcessFacts[] {
  return live.toSorted((one, other) => (one.epoch < other.epoch ? -1 : 1))
}
