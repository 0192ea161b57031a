import assert from 'node:assert/strict'
import { it } from 'node:test'
import { lineDiff, nearChanges } from './line-diff.ts'

it('nearChanges: keeps three lines around a change, and marks what is left out between two', () => {
  const before = Array.from({ length: 30 }, (_, at) => `line ${at}`)
  const after = before.with(4, 'other').with(20, 'another')
  const shown = nearChanges(lineDiff(before.join('\n'), after.join('\n')))
  assert.deepEqual(
    shown.filter(({ kind }) => kind !== 'same').map(({ text }) => text),
    ['line 4', 'other', 'line 20', 'another'],
  )
  assert.equal(shown.filter(({ text }) => text === '⋯').length, 3)
  assert.ok(shown.some(({ text }) => text === 'line 1') && !shown.some(({ text }) => text === 'line 0'))
  assert.deepEqual(nearChanges([]), [])
})
