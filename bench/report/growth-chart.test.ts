import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scale } from './growth-chart.ts'

test('scale: equal factors lie equally far apart', () => {
  const x = scale([1, 100], 0, 200)
  assert.equal(x(1), 0)
  assert.equal(Math.round(x(10)), 100)
  assert.equal(x(100), 200)
})

test('scale: one value alone lies in the middle', () => {
  assert.equal(scale([5, 5], 0, 200)(5), 100)
})
