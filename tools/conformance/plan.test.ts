import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planAll, planEach } from './plan.ts'
import type { Scenario } from './scenarios.ts'

const ping: Scenario = { side: 'server', name: 'ping', revisions: ['2025-06-18', '2025-11-25'] }
const list: Scenario = { side: 'server', name: 'tools-list', revisions: ['2025-11-25'] }
const call: Scenario = { side: 'client', name: 'tools_call', revisions: ['2025-11-25'] }

test('planAll: one run for all server scenarios of a revision, and one for each client scenario', () => {
  assert.deepEqual(
    planAll([ping, list, call]).map(({ side, revision, names, args }) => [side, revision, names, args]),
    [
      ['server', '2025-06-18', ['ping'], ['--suite', 'all', '--spec-version', '2025-06-18']],
      ['server', '2025-11-25', ['ping', 'tools-list'], ['--suite', 'all', '--spec-version', '2025-11-25']],
      ['client', '2025-11-25', ['tools_call'], ['--scenario', 'tools_call', '--spec-version', '2025-11-25']],
    ],
  )
})

test('planEach: one run per scenario and revision; an extension has no revision to ask for', () => {
  const extension: Scenario = { side: 'server', name: 'tasks-lifecycle', revisions: ['extension'] }
  assert.deepEqual(
    planEach([ping, extension]).map(({ args }) => args.join(' ')),
    [
      '--scenario ping --spec-version 2025-06-18',
      '--scenario ping --spec-version 2025-11-25',
      '--scenario tasks-lifecycle',
    ],
  )
})
