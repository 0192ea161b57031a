import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planAll, planEach } from './plan.ts'
import type { Scenario, Side } from './scenarios.ts'

const ping: Scenario = { side: 'server', name: 'ping', revisions: ['2025-06-18', '2025-11-25'] }
const list: Scenario = { side: 'server', name: 'tools-list', revisions: ['2025-11-25'] }
const call: Scenario = { side: 'client', name: 'tools_call', revisions: ['2025-11-25'] }

test('planAll: one run for all scenarios of a side at a revision', () => {
  assert.deepEqual(
    planAll([ping, list, call]).map(({ side, revision, names, args }) => [side, revision, names, args.join(' ')]),
    [
      ['server', '2025-06-18', ['ping'], '--suite all --spec-version 2025-06-18'],
      ['server', '2025-11-25', ['ping', 'tools-list'], '--suite all --spec-version 2025-11-25'],
      ['client', '2025-11-25', ['tools_call'], '--suite all --spec-version 2025-11-25 --timeout 300000'],
    ],
  )
})

test('planAll: what is timed has a run of its own', () => {
  const retry: Scenario = { side: 'client', name: 'sse-retry', revisions: ['2025-11-25'] }
  assert.deepEqual(
    planAll([retry, call]).map(({ names, args }) => [names, args[0]]),
    [
      [['tools_call'], '--suite'],
      [['sse-retry'], '--scenario'],
    ],
  )
})

test('planAll: one run for the extensions of a side, one by one', () => {
  const of = (side: Side, name: string): Scenario => ({ side, name, revisions: ['extension'] })
  const scenarios = [of('server', 'tasks-a'), of('client', 'auth/a'), of('server', 'tasks-b'), of('client', 'auth/b')]
  assert.deepEqual(
    planAll(scenarios).map(({ names, args, isOneByOne }) => [names, args.join(' '), isOneByOne]),
    [
      [['tasks-a', 'tasks-b'], '', true],
      [['auth/a', 'auth/b'], '', true],
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
