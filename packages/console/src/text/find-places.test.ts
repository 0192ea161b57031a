import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPlaces, maxPlaces } from './find-places.ts'

test('findPlaces: finds words as they are written, whatever their case', () => {
  assert.deepEqual(findPlaces('One (one) ONE', 'one'), [
    { from: 0, to: 3 },
    { from: 5, to: 8 },
    { from: 10, to: 13 },
  ])
  assert.deepEqual(findPlaces('a.b a+b', 'A+b'), [{ from: 4, to: 7 }])
  assert.deepEqual(findPlaces('İ x', 'x'), [{ from: 2, to: 3 }])
  assert.deepEqual(findPlaces('nothing', ''), [])
})

test('findPlaces: ends at its limit', () => {
  assert.equal(findPlaces('a'.repeat(maxPlaces + 1), 'a').length, maxPlaces)
})
