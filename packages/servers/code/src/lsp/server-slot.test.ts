import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import { lacking } from '../../../../../tools/lib/needs.ts'
import { codeLimits } from '../code-limits.ts'
import { ServerSlot } from './server-slot.ts'

const skip = lacking('posix', process.platform !== 'win32')

test('ServerSlot: after each failure it waits twice as long, after the fourth until the first is old; a wait starts nothing', {
  skip,
}, async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_000_000 })
  const root = mkdtempSync(join(tmpdir(), 'trunkline-slot-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const command = ['sh', '-c', 'echo started >> starts; exit 3']
  const slot = new ServerSlot({ language: { name: 'broken', files: [], command }, command, root, limits: codeLimits })
  const pauseOf = async (): Promise<number> => {
    const problem = await slot.ready().then(
      () => assert.fail('it started'),
      (error: unknown) => error,
    )
    assert.ok(problem instanceof ToolProblem)
    return problem.details.retryAfterMs ?? 0
  }
  const starts = () => readFileSync(join(root, 'starts'), 'utf8').split('\n').length - 1
  const pauses: number[] = []
  for (const started of [1, 2, 3, 4]) {
    pauses.push(await pauseOf())
    assert.equal(starts(), started)
    t.mock.timers.tick((pauses.at(-1) ?? 0) - 1)
    assert.equal(await pauseOf(), 1)
    assert.equal(starts(), started)
    t.mock.timers.tick(1)
  }
  const { restartPauseMs: pause, restartWindowMs: window } = codeLimits
  assert.deepEqual(pauses, [pause, 2 * pause, 4 * pause, window - 7 * pause])
})
