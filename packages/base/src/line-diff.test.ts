import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type DiffLine, diffLines } from './line-diff.ts'

const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', '@@'), { maxLength: 30 })
const without = (steps: readonly DiffLine[], kind: DiffLine['kind']) =>
  steps.filter((step) => step.kind !== kind).map(({ text }) => text)

/** Length of the longest list that both lists hold in this order. */
function commonLength(one: readonly string[], other: readonly string[]): number {
  let above = new Array<number>(other.length + 1).fill(0)
  for (const line of one) {
    const row = [0]
    for (const [at, candidate] of other.entries())
      row.push(line === candidate ? (above[at] ?? 0) + 1 : Math.max(above[at + 1] ?? 0, row[at] ?? 0))
    above = row
  }
  return above.at(-1) ?? 0
}

test('diffLines: holds both lists in their order, and as many lines of both as can be', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const steps = diffLines(before, after)
      assert.deepEqual(without(steps, 'added'), before)
      assert.deepEqual(without(steps, 'removed'), after)
      assert.equal(steps.filter(({ kind }) => kind === 'same').length, commonLength(before, after))
    }),
    { numRuns: 500 },
  )
})

test('diffLines: removed lines stand before those that replace them', () => {
  assert.deepEqual(
    diffLines(['a', 'b', 'c'], ['a', 'x', 'c']).map(({ kind, text }) => `${kind} ${text}`),
    ['same a', 'removed b', 'added x', 'same c'],
  )
})

test('diffLines: lists with nothing in common are all removed and all added, and soon', () => {
  const [before, after] = ['a', 'b'].map((letter) => Array.from({ length: 5_000 }, (_, at) => `${letter}${at}`))
  const steps = diffLines(before ?? [], after ?? [])
  assert.deepEqual([without(steps, 'added'), without(steps, 'removed')], [before, after])
})
