import assert from 'node:assert/strict'
import { test } from 'node:test'
import { duration, relativeTime } from './relative-time.ts'

test('duration: says of the time since a moment as many minutes and hours as relativeTime', () => {
  const ago = (ms: number) => [duration(ms), relativeTime(0, ms)]
  assert.deepEqual(ago(119_000), ['1 min', '1 min ago'])
  assert.deepEqual(ago(3_599_000), ['59 min', '59 min ago'])
  assert.deepEqual(ago(7_100_000), ['1 h', '1 h ago'])
  assert.deepEqual([relativeTime(0, 2_900), relativeTime(14 * 60_000, 0)], ['just now', 'in 14 min'])
  assert.deepEqual([relativeTime(0, 3_000), relativeTime(0, 200_000_000)], ['3 s ago', '2 d ago'])
  assert.deepEqual([duration(41), duration(27_340)], ['41 ms', '27.3 s'])
})
