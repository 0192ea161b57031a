import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Frame } from './cpu-profile.ts'
import { flameGraph } from './flame.ts'

function frame(name: string, own: number, children: readonly Frame[] = []): Frame {
  return { name, own, total: children.reduce((sum, child) => sum + child.total, own), children }
}

test('flameGraph: a box is as wide as its share, under the box of its caller', () => {
  const svg = flameGraph('test', frame('all', 0, [frame('left', 75), frame('right', 25)]))
  assert.match(svg, /<title>left 75\.0 %<\/title><rect x="10" y="47" width="885"/)
  assert.match(svg, /<title>right 25\.0 %<\/title><rect x="895" y="47" width="295"/)
})

test('flameGraph: leaves out what is too small to see', () => {
  assert.doesNotMatch(flameGraph('test', frame('all', 1e6, [frame('speck', 1)])), /speck/)
})

test('flameGraph: escapes names', () => {
  assert.match(flameGraph('test', frame('all', 0, [frame('<b>', 1)])), /<title>&lt;b&gt; 100\.0 %<\/title>/)
})
