import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BoundedMap } from './bounded-map.ts'

test('BoundedMap: drops the entry that was set longest ago', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4)
  assert.deepEqual(
    [...map],
    [
      ['a', 3],
      ['c', 4],
    ],
  )
})

test('BoundedMap: the newest entries of another map are kept', () => {
  const map = new BoundedMap(2, [
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ] as const)
  assert.deepEqual([...map.keys()], ['b', 'c'])
})

test('BoundedMap: an entry is taken once', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  assert.deepEqual([map.take('a'), map.take('a'), map.size], [1, undefined, 0])
})
