import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unusedFor } from './unused-for.ts'

const now = 100 * 24 * 3_600_000

test('unusedFor: a server that was accepted a minute ago was not unused for a month', () => {
  assert.match(unusedFor(now - 60_000, now), /^not used since the server was accepted, 1 min ago,$/)
  assert.match(unusedFor(now - 5 * 24 * 3_600_000, now), /^not used since the server was accepted, 5 d ago,$/)
})

test('unusedFor: a month where it was there that long, or as long as is known', () => {
  assert.equal(unusedFor(0, now), 'not used in 30 days')
  assert.equal(unusedFor(undefined, now), 'not used in 30 days')
})
