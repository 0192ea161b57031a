import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomId } from './random-id.ts'

test('randomId: ids begin with a letter, use every character after it, and differ', () => {
  const ids = Array.from({ length: 2_000 }, () => randomId(12))
  for (const id of ids) assert.match(id, /^[A-Za-z][A-Za-z0-9_-]{11}$/)
  assert.equal(new Set(ids).size, ids.length)
  assert.equal(new Set(ids.flatMap((id) => [...id.slice(1)])).size, 64)
})
