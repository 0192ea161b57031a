import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findItems, placeWithin } from './search.ts'

const item = (title: string, kind: string, isWaiting = false) => ({ key: title, title, kind, isWaiting, run: () => {} })

test('findItems: a whole title comes first, then what waits for a person, then the shorter', () => {
  const items = [
    item('Connect Cursor', 'client'),
    item('Connect', 'How do I use this from my editor, and from every other one?'),
    item('Connect orders', 'question', true),
  ]
  const found = (text: string) => findItems(items, text).map(({ title }) => title)
  assert.deepEqual(found('connect'), ['Connect', 'Connect orders', 'Connect Cursor'])
  assert.deepEqual(found('conn'), ['Connect orders', 'Connect Cursor', 'Connect'])
})

test('placeWithin: something is chosen as long as something is found, however short the list becomes', () => {
  assert.deepEqual(
    [0, 3, 4, 9].map((place) => placeWithin(place, 4)),
    [0, 3, 3, 3],
  )
  assert.equal(placeWithin(2, 0), 0)
})
