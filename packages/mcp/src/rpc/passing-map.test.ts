import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptByYoungCollections } from '../../test/young-memory.ts'
import { PassingMap } from './passing-map.ts'
import { PassingSet } from './passing-set.ts'

test('PassingMap: an entry is there until it is deleted, and deleting it returns it', () => {
  const map = new PassingMap<string | number, string>()
  map.set('a', 'one')
  map.set(1, 'two')
  assert.deepEqual([map.size, map.get('a'), map.get(1), map.has('b')], [2, 'one', 'two', false])
  assert.equal(map.delete('a'), 'one')
  assert.equal(map.delete('a'), undefined)
  assert.deepEqual([map.size, map.has('a'), [...map.values()]], [1, false, ['two']])
})

test('PassingMap: a key that is set again has the new value', () => {
  const map = new PassingMap<string, string>()
  map.set('a', 'one')
  map.set('a', 'two')
  assert.deepEqual([map.size, map.get('a')], [1, 'two'])
})

test('PassingMap: nothing is left after clear', () => {
  const map = new PassingMap<number, string>()
  for (const key of [1, 2, 3]) map.set(key, 'x')
  map.clear()
  assert.deepEqual([map.size, [...map.values()], map.get(2)], [0, [], undefined])
})

test('PassingSet: members leave by their place, and one that left cannot leave again for another', () => {
  const set = new PassingSet<string>()
  const [first, second] = [set.add('a'), set.add('a')]
  set.delete(first)
  set.delete(first)
  assert.deepEqual([set.size, [...set]], [1, ['a']])
  set.delete(second)
  assert.equal(set.size, 0)
})

test('PassingMap: deleted values go with the next collection of young objects, however old the map is', () => {
  const map = new PassingMap<number, object>()
  const kept = comeAndGo(
    (key, value) => map.set(key, value),
    (key) => map.delete(key),
  )
  assert.ok(kept < 100, `${kept} of 1000 values are kept`)
})

test('a Map keeps what left: once this fails, PassingMap has no use any more', () => {
  const map = new Map<number, object>()
  const kept = comeAndGo(
    (key, value) => map.set(key, value),
    (key) => map.delete(key),
  )
  assert.ok(kept > 500, `${kept} of 1000 values are kept`)
})

const valueBytes = 8_000

/** Lets a thousand values come and go in an old map, 32 at a time; returns how many are kept once young objects are collected. */
function comeAndGo(come: (key: number, value: object) => void, go: (key: number) => void): number {
  for (let key = 0; key < 32; key++) come(key, {})
  const bytes = keptByYoungCollections(() => {
    for (let key = 0; key < 1000; key++) {
      come(key + 32, new Array(valueBytes / 8).fill(key))
      go(key)
    }
    for (let key = 1000; key < 1032; key++) go(key)
  })
  return Math.round(bytes / valueBytes)
}
