import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingBehind } from './compare.ts'
import type { Row } from './table.ts'

const row = (name: string, passed: readonly string[]): Row => ({
  scenario: { side: 'server', name, revisions: ['2025-11-25'] },
  verdicts: new Map([['2025-11-25', { problems: [], passed }]]),
})

test('missingBehind: every check that passes directly has to pass behind a gateway too; more may', () => {
  const direct = [row('ping', ['answers', 'answers']), row('logs', ['level', 'message'])]
  assert.deepEqual(missingBehind(direct, [row('ping', ['answers', 'fast']), row('logs', ['message', 'level'])]), [])
  assert.deepEqual(missingBehind(direct, [row('ping', ['answers']), row('logs', ['message'])]), [
    'server logs at 2025-11-25: "level" passes directly, and not here',
  ])
})

test('missingBehind: a scenario that only a gateway has is nothing to compare', () => {
  assert.deepEqual(missingBehind([], [row('ping', [])]), [])
})
