import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gate } from '../../../test/gate.ts'
import { MemoryEffectStore } from '../../stores/memory-effect-store.ts'
import { storedEffect } from './stored-effect.ts'

const effect = { call: 'call', key: 'pay' }

/** One process of several that share a store. */
function processWith(store: MemoryEffectStore) {
  const parts = { store, shared: store, effect, expiresAt: Date.now() + 60_000, report() {} }
  return <T>(run: () => T | Promise<T>, options = {}) => storedEffect<T>(parts, run, options)
}

test('storedEffect: two processes run an effect once, and the one that comes later waits for the outcome (rule 5)', async () => {
  const store = new MemoryEffectStore()
  const [one, other] = [processWith(store), processWith(store)]
  const began = gate<(value: string) => void>()
  const first = one(() => new Promise<string>(began.open))
  const finish = await began.promise
  const second = other<string>(() => assert.fail('it runs already'))
  finish('paid')
  assert.deepEqual(await Promise.all([first, second]), ['paid', 'paid'])
})

test('storedEffect: an effect that fails late at one process is tried by the one that waits (rule 5)', async () => {
  const store = new MemoryEffectStore()
  const [one, other] = [processWith(store), processWith(store)]
  const began = gate<(error: Error) => void>()
  const first = one(() => new Promise<string>((_, reject) => began.open(reject)))
  const fail = await began.promise
  const second = other(() => 'paid')
  fail(new Error('no funds'))
  await assert.rejects(first, /no funds/)
  assert.equal(await second, 'paid')
})

test('storedEffect: a begin whose answer was lost is recognised when it is tried again (rule 5)', async () => {
  const store = new MemoryEffectStore()
  const { attempt } = store
  let cuts = 1
  store.attempt = (...given) => {
    const state = attempt.apply(store, given)
    if (cuts-- > 0) throw new Error('connection cut')
    return state
  }
  assert.equal(await processWith(store)(() => 'paid'), 'paid')
})

test('storedEffect: an effect whose process is gone is unknown, unless it may be repeated (rule 5)', async () => {
  const store = new MemoryEffectStore()
  store.attempt(effect, { attempt: 'of a process that is gone', leaseMs: 0, expiresAt: Date.now() + 60_000 })
  await assert.rejects(
    processWith(store)(() => 'paid'),
    /whether it took effect is unknown/,
  )
  assert.equal(await processWith(store)(() => 'paid', { repeatable: true }), 'paid')
})
