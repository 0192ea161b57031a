import assert from 'node:assert/strict'
import type { EffectStore } from '../../src/stores/effect-store.ts'
import type { On } from './stores-contract.ts'

const expiresAt = Date.now() + 3_600_000
const pay = { call: 'c', key: 'pay' }
const one = { attempt: 'one', leaseMs: 60_000, expiresAt }
const two = { attempt: 'two', leaseMs: 60_000, expiresAt }
/** An attempt that is over as soon as it has begun. */
const lost = { attempt: 'lost', leaseMs: 0, expiresAt }

/** Promises of every store of effects. */
export function effectStoreContract(on: On<Required<EffectStore>>): void {
  on('one of many beginnings counts, what failed may begin again, and calls do not share', async (store) => {
    const begun = await Promise.all(Array.from({ length: 5 }, () => store.begin(pay, expiresAt)))
    assert.equal(begun.filter((known) => known === undefined).length, 1)
    assert.deepEqual(await store.begin(pay, expiresAt), { state: 'begun' })
    assert.equal(await store.begin({ call: 'd', key: 'pay' }, expiresAt), undefined)
    assert.equal(await store.begin({ call: 'c', key: 'pay\u0000' }, expiresAt), undefined)
    await store.undone(pay)
    assert.equal(await store.begin(pay, expiresAt), undefined)
    await store.done(pay, { paid: [1, null, 'é'] })
    assert.deepEqual(await store.begin(pay, expiresAt), { state: 'done', value: { paid: [1, null, 'é'] } })
  })

  on('one of many attempts has the effect, and the others learn that it runs', async (store) => {
    const attempts = Array.from({ length: 5 }, (_, at) => store.attempt(pay, { ...one, attempt: `${at}` }))
    const states = (await Promise.all(attempts)).map(({ state }) => state)
    assert.deepEqual(states.toSorted(), ['mine', 'running', 'running', 'running', 'running'])
    assert.deepEqual(await store.attempt({ call: 'd', key: 'pay' }, two), { state: 'mine' })
  })

  on('an attempt that is made again is recognised, also when its lease is over', async (store) => {
    assert.deepEqual(await store.attempt(pay, lost), { state: 'mine' })
    assert.deepEqual(await store.attempt(pay, lost), { state: 'mine' })
    assert.deepEqual(await store.attempt(pay, { ...lost, leaseMs: 60_000 }), { state: 'mine' })
    assert.deepEqual(await store.attempt(pay, two), { state: 'running' })
  })

  on(
    'the outcome of an attempt whose lease is over is unknown, and may be repeated where that is said',
    async (store) => {
      await store.attempt(pay, lost)
      assert.deepEqual(await store.attempt(pay, one), { state: 'unknown' })
      assert.deepEqual(await store.attempt(pay, { ...two, repeats: true }), { state: 'mine' })
      assert.equal(await store.finish(pay, 'lost', 'late'), false)
      assert.equal(await store.abandon(pay, 'lost'), false)
      assert.deepEqual(await store.attempt(pay, { ...one, repeats: true }), { state: 'running' })
      assert.equal(await store.finish(pay, 'two', 'paid'), true)
      assert.deepEqual(await store.attempt(pay, { ...one, repeats: true }), { state: 'done', value: 'paid' })
    },
  )

  on('an outcome that comes after the lease counts while no other attempt has the effect', async (store) => {
    await store.attempt(pay, lost)
    assert.equal(await store.finish(pay, 'lost', { paid: 5 }), true)
    assert.deepEqual(await store.attempt(pay, one), { state: 'done', value: { paid: 5 } })
  })

  on('only the attempt that has the effect ends it, and may say so twice', async (store) => {
    await store.attempt(pay, one)
    assert.equal(await store.finish(pay, 'two', 1), false)
    assert.equal(await store.abandon(pay, 'two'), false)
    assert.equal(await store.abandon(pay, 'one'), true)
    assert.equal(await store.abandon(pay, 'one'), false)
    assert.deepEqual(await store.attempt(pay, two), { state: 'mine' })
    assert.equal(await store.finish(pay, 'two', 2), true)
    assert.equal(await store.finish(pay, 'two', 2), true)
    assert.equal(await store.abandon(pay, 'two'), false)
    assert.deepEqual(await store.attempt(pay, one), { state: 'done', value: 2 })
    assert.equal(await store.finish({ call: 'x', key: 'y' }, 'two', 2), false)
  })

  on('an effect that began without an attempt is unknown to attempts', async (store) => {
    await store.begin(pay, expiresAt)
    assert.deepEqual(await store.attempt(pay, one), { state: 'unknown' })
    assert.deepEqual(await store.attempt(pay, { ...one, repeats: true }), { state: 'mine' })
    assert.deepEqual(await store.begin(pay, expiresAt), { state: 'begun' })
  })
}
