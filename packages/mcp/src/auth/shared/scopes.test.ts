import assert from 'node:assert/strict'
import { test } from 'node:test'
import { covers, scopesOf, union } from './scopes.ts'

test('scopesOf: each one once, and only what can be one', () => {
  assert.deepEqual(scopesOf('a b  a mcp:read'), ['a', 'b', 'mcp:read'])
  assert.deepEqual(scopesOf('good b"ad b\\ad bäd \u0001'), ['good'])
  assert.deepEqual(scopesOf(undefined), [])
  assert.deepEqual(scopesOf(''), [])
})

test('union: keeps the order in which they came', () => {
  assert.deepEqual(union(['a', 'b'], [], ['b', 'c']), ['a', 'b', 'c'])
})

test('covers: the empty set is in every set', () => {
  assert.ok(covers([], []))
  assert.ok(covers(['a', 'b'], ['b']))
  assert.ok(!covers(['a'], ['a', 'b']))
})
