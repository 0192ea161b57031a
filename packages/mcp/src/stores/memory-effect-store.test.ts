import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryEffectStore } from './memory-effect-store.ts'

const later = Date.now() + 3_600_000
const effect = (key: string) => ({ call: 'call', key })

test('MemoryEffectStore: an effect begins once, and what came of it is kept until it expires', () => {
  const store = new MemoryEffectStore()
  assert.equal(store.begin(effect('a'), later), undefined)
  assert.deepEqual(store.begin(effect('a'), later), { state: 'begun' })
  store.done(effect('a'), 7)
  assert.deepEqual(store.begin(effect('a'), later), { state: 'done', value: 7 })
  store.undone(effect('a'))
  assert.equal(store.begin(effect('a'), Date.now() - 1), undefined)
  assert.equal(store.begin(effect('a'), later), undefined, 'the first has expired')
})

test('MemoryEffectStore: maxEffects: the effect done first makes room, one under way never does', () => {
  const store = new MemoryEffectStore({ limits: { maxEffects: 2 } })
  store.begin(effect('a'), later)
  store.begin(effect('b'), later)
  assert.throws(() => store.begin(effect('c'), later), /2 are under way \("limits.maxEffects"\)/)
  store.done(effect('b'), 1)
  assert.equal(store.begin(effect('c'), later), undefined)
  assert.deepEqual(store.begin(effect('a'), later), { state: 'begun' })
})

test('MemoryEffectStore: maxChars: the values that were kept first go', () => {
  const store = new MemoryEffectStore({ limits: { maxChars: 100 } })
  for (const key of ['a', 'b', 'c']) {
    store.begin(effect(key), later)
    store.done(effect(key), 'x'.repeat(40))
  }
  assert.equal(store.begin(effect('a'), later), undefined)
  assert.equal(store.begin(effect('c'), later)?.state, 'done')
})

test('MemoryEffectStore: maxChars: a value that is recorded again counts once, and does not make room for itself', () => {
  const store = new MemoryEffectStore({ limits: { maxChars: 100 } })
  for (const key of ['a', 'b']) store.begin(effect(key), later)
  store.done(effect('a'), 'x'.repeat(40))
  for (let time = 0; time < 5; time++) store.done(effect('b'), 'y'.repeat(40))
  assert.deepEqual(
    ['a', 'b'].map((key) => store.begin(effect(key), later)?.state),
    ['done', 'done'],
  )
})
