import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measurementTable } from './measurement-table.ts'
import type { Row } from './row.ts'

const measurement = { name: 'http-call', title: 'tools/call over HTTP', groups: () => [] }

function row(contestant: string, variant: string, rest: Partial<Row>): Row {
  const name = { measurement: 'http-call', group: '1 tool', contestant, variant }
  return { ...name, unit: 'calls/s', better: 'more', rounds: [], ...rest }
}

test('measurementTable: shows the median ratio to the limit of the same variant, with its spread', () => {
  const table = measurementTable(measurement, [
    row('raw', 'old', { rounds: [200, 200, 200] }),
    row('raw', 'new', { rounds: [100, 100, 100] }),
    row('trunkline', 'new', { rounds: [80, 90, 95], p50Ms: [1, 1.5, 2], p99Ms: [4] }),
  ])
  assert.match(table, /^tools\/call over HTTP {2}\(http-call\)\n\n1 tool\n.*calls\/s ↑ .*of raw/)
  assert.match(table, /trunkline {2}new +90\.0 +0\.90 +0\.80–0\.95 +1\.50 +4\.00/)
})

test('measurementTable: shows processor time and its ratio where it is known', () => {
  const table = measurementTable(measurement, [
    row('raw', 'new', { rounds: [100, 100], cpuMicros: [40, 50] }),
    row('trunkline', 'new', { rounds: [80, 90], cpuMicros: [50, 60] }),
  ])
  assert.match(table, /cpu µs +of raw +spread/)
  assert.match(table, /trunkline {2}new .* 55\.0 +1\.23 +1\.20–1\.25$/)
})

test('measurementTable: names everyone who is missing, and every reason once', () => {
  const absent = 'not there yet: no such module'
  const table = measurementTable(measurement, [
    row('trunkline', 'old', { absent }),
    row('trunkline', 'new', { absent }),
  ])
  assert.match(table, /\ntrunkline old, new: not there yet: no such module$/)
})
