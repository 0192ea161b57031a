import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scenario } from './scenarios.ts'
import { complaints, type Row, summary, table, unchecked } from './table.ts'
import { nothingChecked } from './verdicts.ts'

const scenario = (name: string, revisions: readonly string[]): Scenario => ({ side: 'server', name, revisions })

const rows: readonly Row[] = [
  { scenario: scenario('ping', ['2025-06-18', '2025-11-25']), verdicts: new Map([['2025-06-18', { problems: [] }]]) },
  {
    scenario: scenario('caching', ['2026-07-28']),
    verdicts: new Map([['2026-07-28', { problems: ['stale', 'old'] }]]),
  },
]

test('table: passed, failed and not applicable can be told apart; what was not judged has failed', () => {
  assert.deepEqual(table(rows).split('\n'), [
    '           2025-06-18  2025-11-25  2026-07-28',
    'server',
    '  ping     pass        FAIL        -',
    '  caching  -           -           FAIL',
  ])
})

test('complaints: every problem with its scenario and revision', () => {
  assert.deepEqual(complaints(rows), [
    'server ping at 2025-11-25: it was not judged',
    'server caching at 2026-07-28: stale',
    'server caching at 2026-07-28: old',
  ])
})

test('unchecked: a scenario without a check is told with the reason that the suite gives', () => {
  const verdict = { problems: [nothingChecked], skipped: ['it is to be rewritten'] }
  const row = {
    scenario: scenario('tasks-status-notifications', ['extension']),
    verdicts: new Map([['extension', verdict]]),
  }
  assert.deepEqual(unchecked([...rows, row]), [
    'server tasks-status-notifications at extension has no check in the suite: it is to be rewritten',
  ])
})

test('summary: each revision of a scenario counts, and what is listed and was not run is counted apart', () => {
  const listed = [...rows.map((row) => row.scenario), scenario('forgotten', ['2026-07-28'])]
  assert.equal(summary(rows, listed), '1 passed, 2 failed, 1 not run')
})
