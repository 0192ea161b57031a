import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { open } from '../../src/client/open.ts'
import { tasks } from '../../src/extensions/tasks/tasks.ts'
import { server } from '../../src/server/server.ts'
import { memoryPair } from '../../src/transports/memory.ts'

const minute = 60_000

test('tasks: a question that is told of while an older state of the same time is on its way is answered', {
  timeout: minute / 2,
}, async ({ mock }) => {
  // all that happens has the same time
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  let polled = (): void => {}
  const isPolled = new Promise<void>((resolve) => {
    polled = resolve
  })
  const asking = server({ name: 'asking', version: '1', extensions: [tasks({ pollMs: minute })] })
    .use((next) => async (request) => {
      const answer = await next(request)
      if (request.method !== 'tasks/get') return answer
      polled()
      // the notification about the question overtakes this answer
      await new Promise((resolve) => setTimeout(resolve, 50))
      return answer
    })
    .tool('name', { task: 'required' }, async (_, ctx) => {
      await isPolled
      const { name } = await ctx.elicit('Which name?', z.object({ name: z.string() }))
      return `named ${name}`
    })
  const dial = () => {
    const [near, far] = memoryPair()
    asking.serve(far)
    return near
  }
  await using client = await open(dial, {
    revisions: ['2026-07-28'],
    extensions: [tasks()],
    elicitation: () => ({ action: 'accept', content: { name: 'Maria' } }),
  })
  const task = await client.tools.start('name', {})
  assert.deepEqual((await task.result()).content, [{ type: 'text', text: 'named Maria' }])
})
