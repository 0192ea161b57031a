import assert from 'node:assert/strict'
import { it } from 'node:test'
import { turnsUntil } from '../../../mcp/test/soon.ts'
import { CoalescedRuns } from './coalesced-runs.ts'

/** Work whose runs end when they are told to. */
function work() {
  const ends: (() => void)[] = []
  const at = { begun: 0, underWay: 0, most: 0 }
  const runs = new CoalescedRuns(async () => {
    at.begun += 1
    at.underWay += 1
    at.most = Math.max(at.most, at.underWay)
    await new Promise<void>((resolve) => ends.push(resolve))
    at.underWay -= 1
  })
  return { runs, at, end: () => ends.shift()?.() }
}

it('CoalescedRuns: of a thousand changes during a run one run comes of it, after that run', async () => {
  const { runs, at, end } = work()
  const first = runs.run()
  const again = Array.from({ length: 1_000 }, () => runs.runAgain())
  assert.equal(at.begun, 1)
  end()
  await first
  await turnsUntil(() => at.begun === 2, 'the run that waited')
  end()
  await Promise.all(again)
  assert.deepEqual(at, { begun: 2, underWay: 0, most: 1 })
})

it('CoalescedRuns: a change after the waiting run began is not lost', async () => {
  const { runs, at, end } = work()
  const again = runs.runAgain()
  await turnsUntil(() => at.begun === 1, 'the first run')
  const later = runs.runAgain()
  end()
  await again
  await turnsUntil(() => at.begun === 2, 'the run for the later change')
  end()
  await later
  assert.equal(at.most, 1)
})

it('CoalescedRuns: a request while a run is under way gets its outcome', async () => {
  const { runs, at, end } = work()
  const both = [runs.run(), runs.run()]
  end()
  await Promise.all(both)
  assert.equal(at.begun, 1)
})

it('CoalescedRuns: changes without end cause four runs a second, after a burst', async () => {
  let begun = 0
  const runs = new CoalescedRuns(async () => {
    begun += 1
  })
  const startedAt = performance.now()
  while (begun < 22) await runs.runAgain()
  const seconds = (performance.now() - startedAt) / 1_000
  assert.ok(begun <= 20 + 4 * seconds + 1, `${begun} runs in ${seconds} s`)
})
