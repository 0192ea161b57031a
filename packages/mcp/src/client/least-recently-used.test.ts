import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LeastRecentlyUsed } from './least-recently-used.ts'

const limits = { maxEntries: 3, maxBytes: 10 }

test('LeastRecentlyUsed: the entry unused for longest goes first, by number', () => {
  const kept = new LeastRecentlyUsed<number>(limits)
  for (const key of ['a', 'b', 'c']) kept.set(key, 1, 1)
  assert.equal(kept.get('a'), 1)
  kept.set('d', 1, 1)
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((key) => kept.get(key)),
    [1, undefined, 1, 1],
  )
})

test('LeastRecentlyUsed: the entries unused for longest go first, by weight, as many as it takes', () => {
  const kept = new LeastRecentlyUsed<number>(limits)
  kept.set('a', 1, 4)
  kept.set('b', 1, 4)
  kept.set('c', 1, 9)
  assert.deepEqual([kept.size, kept.bytes, kept.get('c')], [1, 9, 1])
})

test('LeastRecentlyUsed: an entry that is too heavy is not kept, nor is the one it replaces', () => {
  const kept = new LeastRecentlyUsed<number>(limits)
  kept.set('a', 1, 4)
  kept.set('b', 1, 4)
  kept.set('a', 2, 11)
  assert.deepEqual([kept.get('a'), kept.get('b'), kept.bytes], [undefined, 1, 4])
})

test('LeastRecentlyUsed: weighs what it keeps, whatever happens to it', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e')
  const step = fc.tuple(fc.constantFrom('set', 'get', 'delete', 'deleteIf'), key, fc.nat(12))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const kept = new LeastRecentlyUsed<number>(limits)
      for (const [what, at, bytes] of steps) {
        if (what === 'set') kept.set(at, bytes, bytes)
        else if (what === 'get') kept.get(at)
        else if (what === 'delete') kept.delete(at)
        else kept.deleteIf((value) => value === bytes)
        const values = ['a', 'b', 'c', 'd', 'e'].map((one) => kept.peek(one)).filter((value) => value !== undefined)
        assert.equal(kept.size, values.length)
        assert.equal(
          kept.bytes,
          values.reduce((sum, value) => sum + value, 0),
        )
        assert.ok(kept.size <= limits.maxEntries && kept.bytes <= limits.maxBytes)
      }
    }),
  )
})
