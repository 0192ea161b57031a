import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quantile, ratios, summarise } from './statistics.ts'

test('quantile: lies between neighbours in proportion', () => {
  assert.equal(quantile([1, 2, 3, 4], 0.5), 2.5)
  assert.equal(quantile([1, 2, 3, 4], 0), 1)
  assert.equal(quantile([1, 2, 3, 4], 1), 4)
  assert.equal(quantile([10, 20], 0.25), 12.5)
})

test('quantile: nothing has no median', () => {
  assert.ok(Number.isNaN(quantile([], 0.5)))
})

test('summarise: orders figures before it looks at them', () => {
  assert.deepEqual(summarise([9, 1, 10, 2, 5]), { median: 5, low: 1, high: 10 })
})

test('ratios: pairs the rounds of both series', () => {
  assert.deepEqual(ratios([10, 30], [20, 20]), [0.5, 1.5])
})

test('ratios: leaves out rounds only one series has', () => {
  assert.deepEqual(ratios([10, 30, 50], [20]), [0.5])
})
