import assert from 'node:assert/strict'
import { test } from 'node:test'
import { growthLines, plotGrowth, sparkline } from './plot.ts'
import type { Row } from './row.ts'

function row(contestant: string, at: number, rounds: readonly number[]): Row {
  return { measurement: 'growth', group: String(at), contestant, variant: '', unit: 'µs', better: 'less', at, rounds }
}

test('sparkline: flat costs draw a flat line', () => {
  assert.equal(sparkline([40, 41, 39]), '▁▁▁')
})

test('sparkline: each doubling is a step, and the last step is the last', () => {
  assert.equal(sparkline([1, 2, 4, 1e9]), '▁▂▃█')
})

test('sparkline: leaves a gap where nothing was measured', () => {
  assert.equal(sparkline([1, Number.NaN, 1]), '▁ ▁')
})

test('growthLines: collects the medians of each entrant', () => {
  const [line] = growthLines([row('ours', 1, [3, 1, 2]), row('ours', 10, [4]), row('gone', 1, [])])
  assert.deepEqual(line, {
    name: 'ours',
    costs: new Map([
      [1, 2],
      [10, 4],
    ]),
  })
})

test('plotGrowth: says how much the cost grew', () => {
  assert.match(plotGrowth([row('ours', 1, [2]), row('ours', 10, [8])]), /ours\s+2\.00\s+8\.00\s+▁▃\s+4\.00 times/)
})
