import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeLines } from './merge-lines.ts'

const lines = (...numbers: readonly number[]) => numbers.map((number) => ({ number }))

test('mergeLines: lines that happened before others, and were told after them, are not lost', () => {
  assert.deepEqual(mergeLines(lines(7, 8), lines(4, 5, 6, 7)), lines(4, 5, 6, 7, 8))
  assert.deepEqual(mergeLines(lines(), lines(2, 3, 1)), lines(1, 2, 3))
})

test('mergeLines: what follows is added, what is known stays once', () => {
  assert.deepEqual(mergeLines(lines(1, 2), lines(3, 5)), lines(1, 2, 3, 5))
  assert.deepEqual(mergeLines(lines(1, 2), lines(1, 2)), lines(1, 2))
  assert.deepEqual(mergeLines(lines(0), lines(0, 1)), lines(0, 1))
})
