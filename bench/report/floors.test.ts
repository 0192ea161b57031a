import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { contestants } from '../contestants/all.ts'
import { measurements } from '../measure/all.ts'
import type { Plan } from '../measure/measurement.ts'
import { type Floor, failures, judge, type RowName, verdictLine } from './floors.ts'
import type { Row } from './row.ts'

const ours: RowName = { measurement: 'http-call', group: '1 tool', contestant: 'trunkline', variant: '2026-07-28' }
const theirs: RowName = { ...ours, contestant: 'raw' }
const floor: Floor = { name: 'fast', active: true, of: ours, against: theirs, atLeast: 0.85 }

function row(name: RowName, rounds: readonly number[]): Row {
  return { ...name, unit: 'calls/s', better: 'more', rounds }
}

test('judge: a ratio is the median of the rounds taken together', () => {
  const [verdict] = judge([floor], [row(ours, [90, 10, 89]), row(theirs, [100, 100, 100])])
  assert.deepEqual(verdict, { floor, outcome: 'kept', value: 0.89 })
})

test('judge: another figure of the same rounds may be compared', () => {
  const cheap: Floor = { name: 'cheap', active: true, of: ours, against: theirs, by: 'cpuMicros', atMost: 1.5 }
  const rows = [
    { ...row(ours, [1]), cpuMicros: [60, 70, 90] },
    { ...row(theirs, [1]), cpuMicros: [50, 50, 50] },
  ]
  assert.deepEqual(judge([cheap], rows)[0], { floor: cheap, outcome: 'kept', value: 1.4 })
  assert.equal(judge([cheap], [row(ours, [1]), row(theirs, [1])])[0]?.outcome, 'not measured')
})

test('judge: a figure under its floor breaks it', () => {
  const [verdict] = judge([floor], [row(ours, [80]), row(theirs, [100])])
  assert.equal(verdict?.outcome, 'broken')
})

test('judge: a figure over its ceiling breaks it', () => {
  const ceiling: Floor = { name: 'small', active: true, of: ours, atMost: 20 }
  assert.equal(judge([ceiling], [row(ours, [20])])[0]?.outcome, 'kept')
  assert.equal(judge([ceiling], [row(ours, [20.1])])[0]?.outcome, 'broken')
})

test('judge: a contestant that did not come up is not measured', () => {
  const [verdict] = judge([floor], [row(ours, []), row(theirs, [100])])
  assert.equal(verdict?.outcome, 'not measured')
})

test('judge: leaves out measurements that did not run', () => {
  assert.deepEqual(judge([floor], [row({ ...ours, measurement: 'memory' }, [1])]), [])
})

test('failures: only active floors fail a run, also by silence', () => {
  const verdicts = [true, false].flatMap((active) =>
    (['kept', 'broken', 'not measured'] as const).map((outcome) => ({ floor: { ...floor, active }, outcome })),
  )
  assert.deepEqual(
    failures(verdicts).map(({ outcome }) => outcome),
    ['broken', 'not measured'],
  )
})

test('verdictLine: says the figure and the bound', () => {
  const [verdict] = judge([floor], [row(ours, [80]), row(theirs, [100])])
  assert.equal(verdict && verdictLine(verdict), 'fast (broken: 0.80, at least 0.85)')
})

test('judge: rows of different groups are held against the limit of their own group first', () => {
  const many = { ...ours, group: '500 tools' }
  const rows = [row(ours, [90]), row(theirs, [100]), row(many, [45]), row({ ...theirs, group: '500 tools' }, [50])]
  assert.equal(judge([{ ...floor, of: many, against: ours }], rows)[0]?.value, 1)
})

test('judge: rows of different groups of which one has no limit are compared as they are', () => {
  const apart = { ...ours, group: 'without a limit' }
  const rows = [row(ours, [90]), row(theirs, [100]), row(apart, [45])]
  assert.equal(judge([{ ...floor, of: apart, against: ours }], rows)[0]?.value, 0.5)
})

test('judge: what both have to do anyway is taken off first', () => {
  const base: RowName = { ...ours, contestant: 'base' }
  const beyond: Floor = { name: 'lean', active: true, of: ours, against: theirs, beyond: base, atMost: 0.5 }
  const [verdict] = judge([beyond], [row(ours, [120]), row(theirs, [150]), row(base, [100])])
  assert.deepEqual(verdict, { floor: beyond, outcome: 'kept', value: 0.4 })
  assert.equal(judge([beyond], [row(ours, [120]), row(theirs, [150])])[0]?.outcome, 'not measured')
})

test('floors.json: every floor names rows that a full run has, and one bound', () => {
  const floors: Floor[] = JSON.parse(readFileSync(new URL('../floors.json', import.meta.url), 'utf8'))
  const plan: Plan = {
    quick: false,
    contestants,
    rounds: 1,
    roundMs: 1,
    loadHttp: () => assert.fail('Nothing runs here'),
  }
  const known = measurements.flatMap((measurement) =>
    measurement
      .groups(plan)
      .flatMap((group) =>
        group.entrants.map(({ contestant, variant }) =>
          [measurement.name, group.title, contestant, variant].join(' / '),
        ),
      ),
  )
  for (const { name, of, against = of, beyond = of, atLeast, atMost } of floors) {
    for (const { measurement, group, contestant, variant } of [of, against, beyond])
      assert.ok(known.includes([measurement, group, contestant, variant].join(' / ')), name)
    assert.ok((atLeast === undefined) !== (atMost === undefined), name)
  }
})
