import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { RequestOptions } from '@trunkline/mcp'
import { join } from '@trunkline/mcp/testing'
import { Mailbox } from '../mailbox.ts'
import { fresh } from './fresh.ts'

/** A call to a tool that reports whenever the test tells it to, and that ends when the test says so. */
async function slowCall(t: TestContext, options: RequestOptions) {
  const cues = new Mailbox<number | 'end'>()
  const reported = new Mailbox<number>()
  const slow = fresh().tool('slow', {}, async (_input, ctx) => {
    for (let cue = await cues.take(); cue !== 'end'; cue = await cues.take()) {
      await ctx.progress(cue)
      reported.put(cue)
    }
    return 'done at last'
  })
  const both = await join(slow, { revisions: ['2025-11-25'] })
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const call = both.client.tools.call('slow', {}, options)
  return {
    call,
    end: () => cues.put('end'),
    async report(progress: number) {
      cues.put(progress)
      await reported.take()
      await new Promise(setImmediate)
    },
    [Symbol.asyncDispose]: () => both.client.close(),
  }
}

test('a call that shows progress outlives its timeout, with or without a listener for the progress', async (t) => {
  for (const options of [{ timeoutMs: 100 }, { timeoutMs: 100, onProgress: () => {} }]) {
    await using slow = await slowCall(t, options)
    for (const step of [1, 2, 3, 4, 5]) {
      t.mock.timers.tick(80)
      await slow.report(step)
    }
    slow.end()
    assert.deepEqual((await slow.call).content, [{ type: 'text', text: 'done at last' }])
    t.mock.timers.reset()
  }
})

test('a call that shows nothing is given up', async (t) => {
  await using slow = await slowCall(t, { timeoutMs: 100 })
  t.mock.timers.tick(80)
  await slow.report(1)
  t.mock.timers.tick(101)
  await assert.rejects(slow.call, { name: 'McpError', code: 'Timeout', outcome: 'Unknown' })
})
