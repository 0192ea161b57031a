import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeptLines } from './kept-lines.ts'

test('KeptLines: holds no more than twice its limit until they are taken, and counts the dropped ones', () => {
  const kept = new KeptLines<number>(10)
  for (let line = 0; line < 1_000; line += 1) {
    kept.add([line])
    assert.ok(kept.length < 20)
  }
  assert.deepEqual(kept.take(), { lines: [990, 991, 992, 993, 994, 995, 996, 997, 998, 999], dropped: 990 })
  assert.deepEqual(kept.take(), { lines: [], dropped: 0 })
})

test('KeptLines: one piece that is larger than its limit, and what was dropped before, count too', () => {
  const kept = new KeptLines<number>(2)
  kept.add([1, 2, 3, 4, 5], 7)
  assert.deepEqual(kept.take(), { lines: [4, 5], dropped: 10 })
})
