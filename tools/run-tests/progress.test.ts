import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Progress } from './progress.ts'
import { noneOf } from './totals.ts'

const totals = { files: 9, ended: 2, passed: 30, failed: 1, skipped: 4 }

test('Progress: one line that changes and never wraps on a terminal; what is said stays above it', () => {
  const written: string[] = []
  const progress = new Progress({ isTTY: true, columns: 60, write: (text) => written.push(text) })
  progress.begin('a.test.ts', noneOf(9))
  progress.begin('b.test.ts', totals)
  progress.say('FAIL a.test.ts › bad')
  progress.end('a.test.ts', totals)
  const [first = '', second = '', said, last = ''] = written.map((text) => text.replace('\r\u001b[K', ''))
  assert.match(first, /^0 of 9 files in 0 s: 0 passed, 0 failed, 0 skipped, now a\.t$/)
  assert.ok([first, second, last].every((line) => line.length < 60 && !line.includes('\n')))
  assert.equal(said, 'FAIL a.test.ts › bad\n')
  assert.ok(written.every((text) => text.startsWith('\r\u001b[K')))
})

test('Progress: off a terminal a line now and then, each with what runs', (context) => {
  context.mock.timers.enable({ apis: ['Date'] })
  let now = 0
  context.mock.method(performance, 'now', () => now)
  const written: string[] = []
  const progress = new Progress({ write: (text) => written.push(text) }, 1000)
  progress.begin('a.test.ts', totals)
  now = 999
  progress.show(totals)
  assert.deepEqual(written, [])
  now = 1000
  progress.show(totals)
  progress.show(totals)
  progress.end('a.test.ts', totals)
  progress.done(totals)
  assert.deepEqual(written, [
    '2 of 9 files in 1 s: 30 passed, 1 failed, 4 skipped, at most about 4 s left, now a.test.ts\n',
    '2 of 9 files in 1 s: 30 passed, 1 failed, 4 skipped\n',
  ])
})

test('Progress: of many files that run together, three are named', () => {
  const written: string[] = []
  const progress = new Progress({ isTTY: true, columns: 200, write: (text) => written.push(text) })
  for (const file of ['a', 'b', 'c', 'd', 'e']) progress.begin(file, noneOf(9))
  assert.match(written.at(-1) ?? '', /now a and b and c and 2 more$/)
})
