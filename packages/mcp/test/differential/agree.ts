import assert from 'node:assert/strict'
import fc, { type Arbitrary } from 'fast-check'
import { describeShapeProblem, type Shape } from '../../src/wire/shape.ts'
import { type Spoiled, spoiled } from './spoiled.ts'

/** Two judges of the same values. */
export interface Agreement {
  readonly shape: Shape
  readonly official: (value: unknown) => boolean
  /** Values that both are to accept. */
  readonly values: Arbitrary<unknown>
  /** True if the two may differ there. */
  readonly excused?: (spoiled: Spoiled) => boolean
  readonly runs: number
}

/** Requires the same verdict on good values and on every way to spoil them a little; a failure prints its seed. */
export function agree({ shape, official, values, excused = () => false, runs }: Agreement): void {
  const property = fc.property(values, (value) => {
    const problem = shape.check(value)
    if (problem) assert.fail(`refused ${JSON.stringify(value)}: ${describeShapeProblem(problem)}`)
    assert.ok(official(value), `the official schema refuses ${JSON.stringify(value)}, which was made from it`)
    for (const bad of spoiled(value)) {
      const complaint = shape.check(bad.value)
      if (official(bad.value) === (complaint === undefined) || excused(bad)) continue
      const verdict = complaint ? `refused because ${describeShapeProblem(complaint)}` : 'accepted'
      assert.fail(`${verdict}, unlike the official schema, spoiled at ${bad.path}: ${JSON.stringify(bad.value)}`)
    }
  })
  fc.assert(property, { numRuns: runs })
}
