import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scenario } from './scenarios.ts'
import { complaints, type Row, summary, table } from './table.ts'

const scenario = (name: string, revisions: readonly string[]): Scenario => ({ side: 'server', name, revisions })

const rows: readonly Row[] = [
  { scenario: scenario('ping', ['2025-06-18', '2025-11-25']), verdicts: new Map([['2025-06-18', { problems: [] }]]) },
  {
    scenario: scenario('caching', ['2026-07-28']),
    verdicts: new Map([['2026-07-28', { problems: ['stale', 'old'] }]]),
  },
]
const notRun = [scenario('sep-2640-index', ['extension']), scenario('sep-2640-read', ['extension'])]

test('table: passed, failed, not applicable and not run can be told apart; what was not judged has failed', () => {
  assert.deepEqual(table(rows, notRun).split('\n'), [
    '                  2025-06-18  2025-11-25  2026-07-28',
    'server',
    '  ping            pass        FAIL        -',
    '  caching         -           -           FAIL',
    '  sep-2640-* (2)  not run: the skills extension is not built yet',
  ])
})

test('complaints: every problem with its scenario and revision', () => {
  assert.deepEqual(complaints(rows), [
    'server ping at 2025-11-25: it was not judged',
    'server caching at 2026-07-28: stale',
    'server caching at 2026-07-28: old',
  ])
})

test('summary: each revision of a scenario counts', () => {
  assert.equal(summary(rows, notRun), '1 passed, 2 failed, 2 not run')
})
