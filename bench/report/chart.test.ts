import assert from 'node:assert/strict'
import { test } from 'node:test'
import { throughputChart } from './chart.ts'
import type { Machine } from './machine.ts'
import type { Row } from './row.ts'

const machine: Machine = {
  ...{ processor: 'Abacus', cores: 2, system: 'linux', node: 'v24.0.0' },
  ...{ apart: true, generator: 'wrk', versions: {} },
}

function row(contestant: string, rounds: readonly number[], unit = 'calls/s'): Row {
  return { measurement: 'http-call', group: '1 tool', contestant, variant: '2026-07-28', unit, better: 'more', rounds }
}

test('throughputChart: a bar for everyone who was measured, ours marked', () => {
  const svg = throughputChart([row('raw', [100]), row('trunkline', [90]), row('tmcp', [30]), row('gone', [])], machine)
  assert.equal(svg.match(/<rect /g)?.length, 3)
  assert.equal(svg.match(/class="ours"/g)?.length, 1)
  assert.match(svg, /trunkline {2}2026-07-28.*0\.90/)
  assert.doesNotMatch(svg, /gone/)
})

test('throughputChart: a bar beyond the limit is drawn to the same scale', () => {
  const svg = throughputChart([row('raw', [100]), row('trunkline', [200])], machine)
  const widths = [...svg.matchAll(/<rect [^>]*?width="([\d.]+)"/g)].map(([, width]) => Number(width))
  assert.equal(widths[1], 2 * (widths[0] ?? 0))
})

test('throughputChart: says where the figures come from', () => {
  assert.match(throughputChart([], machine), /Abacus, 2 cores, linux, Node v24\.0\.0; load by wrk/)
})

test('throughputChart: leaves out what has no limit to share', () => {
  assert.doesNotMatch(throughputChart([row('trunkline', [1])], machine), /<rect /)
})
