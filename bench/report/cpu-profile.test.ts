import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CpuProfile, frameTree, topFrames } from './cpu-profile.ts'

function node(id: number, functionName: string, children: number[] = []): CpuProfile['nodes'][number] {
  return { id, callFrame: { functionName, url: '', lineNumber: 0 }, children }
}

const profile: CpuProfile = {
  nodes: [
    node(1, '(root)', [2, 3, 4, 6]),
    node(2, 'a', [5]),
    node(3, 'a'),
    node(4, '(idle)'),
    node(5, 'b'),
    node(6, 'b'),
  ],
  samples: [2, 3, 5, 4, 6],
  timeDeltas: [10, 20, 30, 1000, 5],
}

test('frameTree: takes calls of one function by the same caller together', () => {
  const root = frameTree(profile)
  assert.deepEqual(
    root.children.map(({ name, own, total }) => ({ name, own, total })),
    [
      { name: 'a', own: 30, total: 60 },
      { name: 'b', own: 5, total: 5 },
    ],
  )
})

test('frameTree: leaves out idle time', () => {
  assert.equal(frameTree(profile).total, 65)
})

test('topFrames: adds up own time over all stacks', () => {
  assert.deepEqual(topFrames(frameTree(profile), 1), [{ name: 'b', share: 35 / 65 }])
})
