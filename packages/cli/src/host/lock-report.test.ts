import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LockFinding, lockExit } from './lock-report.ts'

const finding = (result: LockFinding['result']): LockFinding =>
  ({
    server: 'notes',
    part: 'tool',
    name: 'read_note',
    result,
    why: 'it is another one',
    file: '/shop/trunkline.lock',
    line: 3,
  }) as LockFinding

const exitOf = (...results: readonly LockFinding['result'][]) => lockExit(results.map(finding))

test('lockExit: 10 as soon as something differs, whatever else cannot be told or is new', () => {
  assert.equal(exitOf('changed'), 10)
  assert.equal(exitOf('same', 'cannot tell', 'changed'), 10)
  assert.equal(exitOf('changed', 'cannot tell', 'new'), 10)
})

test('lockExit: 12 where it cannot be told, also if something is new; 11 for what is new alone; else 0', () => {
  assert.equal(exitOf('same', 'cannot tell', 'new'), 12)
  assert.equal(exitOf('same', 'new'), 11)
  assert.equal(exitOf('same'), 0)
  assert.equal(exitOf(), 0)
})
