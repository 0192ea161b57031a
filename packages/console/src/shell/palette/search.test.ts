import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findItems } from './search.ts'

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
