import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSkips } from './check-skips.ts'
import { described, sample } from './lib/sample.ts'

test('checkSkips: reasons that can be forbidden pass', () => {
  const text = `const skip = lacking('browser', found)
test('a', { skip }, () => {})
test('b', { skip: lacking('posix', true) }, () => {})
test('c', { skip: noProc, timeout: 5 }, () => {})
`
  assert.deepEqual(checkSkips(sample({ 'a.test.ts': text })), [])
})

test('checkSkips: every other way to leave out a test is a problem', () => {
  const text = `const skip = found ? false : 'no luck'
test('a', { skip: 'some day' }, () => {})
test('b', { skip: process.platform === 'win32' }, () => {})
test('c', (t) => t.skip('not here'))
test.skip('d', () => {})
test('e', { todo: true }, () => {})
`
  const problem = 'Cannot skip a test so: give "lacking(…)" of tools/lib/needs.ts as the reason'
  assert.deepEqual(
    described(checkSkips(sample({ 'a.test.ts': text }))).sort(),
    [1, 2, 3, 4, 5, 6].map((line) => `a.test.ts:${line}: ${problem}`),
  )
})
