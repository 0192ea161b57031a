import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { until } from '../../../../tools/lib/until.ts'
import { tasks } from '../../src/extensions/tasks/tasks.ts'
import { server } from '../../src/server/server.ts'
import type { Limiter } from '../../src/stores/limiter.ts'
import { MemoryLimiter } from '../../src/stores/memory-limiter.ts'
import type { TaskStore } from '../../src/stores/task-store.ts'
import { join } from '../../src/testing/revisions.ts'
import { quiet } from '../fixtures/quiet.ts'
import { LastingStore } from './crashing-store.ts'
import { ann } from './render.ts'

const on = { extensions: [tasks()], elicitation: ann } as const
const never = new Promise<never>(() => {})

/** Events in the tools of a process, and the place where it stops. */
interface Happening {
  readonly log: string[]
  /** The step at which the process hangs, so that it can be ended there. */
  readonly hangsAt?: string
  /** Counts the calls of both processes. @default each counts its own */
  readonly limiter?: Limiter
}

/** A server whose tools do steps that are written down outside of it. */
function shop(store: TaskStore, { log, hangsAt, limiter }: Happening) {
  const step = async (name: string): Promise<string> => {
    log.push(name)
    if (name === hangsAt) await never
    return `${name} done`
  }
  const rate = limiter && { limiter, limits: { callsPerMinute: { calls: 1, burst: 1 } } }
  return server({ ...quiet, ...rate, name: 'shop', extensions: [tasks({ store, pollMs: 50 })] })
    .tool('order', { task: 'optional', resumable: true }, async (_, ctx) => {
      const paid = await ctx.once('pay', () => step('pay'))
      const { name } = await ctx.elicit('Who are you?', z.object({ name: z.string() }))
      const sent = await ctx.once('send', () => step('send'), { repeatable: true })
      await step('free')
      return `${paid}, ${name}, ${sent}`
    })
    .tool('once', { task: 'optional' }, () => step('once'))
    .tool('flaky', { task: 'optional', resumable: true }, async (_, ctx) => {
      await ctx
        .once('try', async () => {
          log.push('try')
          if (log.length === 1) throw new Error('not yet')
        })
        .catch(() => step('wait'))
      await ctx.once('try', () => step('again'))
      return 'done'
    })
    .tool('forgetful', { task: 'optional', resumable: true }, async (_, ctx) => {
      if (log.length === 0) await ctx.elicit('Who are you?', z.object({ name: z.string() }))
      return step('told')
    })
    .tool('stubborn', { task: 'optional', resumable: true }, async (_, ctx) => {
      await ctx.once('pay', () => step('pay')).catch(() => step('caught'))
      return 'as if nothing had happened'
    })
}

/** Starts a task in one process, ends that process at a step, and attaches to the task in the next. */
async function restarted(tool: 'order' | 'once' | 'flaky' | 'forgetful' | 'stubborn', hangsAt: string) {
  const lasting = new LastingStore()
  const first = lasting.process()
  const log: string[] = []
  // a task that resumes is not a call, so it does not count against the rate
  const limiter = new MemoryLimiter()
  const before = await join(shop(first.store, { log, hangsAt, limiter }), on)
  const { id = '' } = await before.client.tools.start(tool, {}).then((task) => {
    void task.result().catch(() => {})
    return task
  })
  await until(() => log.includes(hangsAt), `step ${hangsAt}`)
  first.crash()
  await before.client.close()
  const after = await join(shop(lasting.process().store, { log, limiter }), on)
  return { log, after, task: await after.client.tasks.attach(id) }
}

test('restart: a finished task still answers', async () => {
  const lasting = new LastingStore()
  const before = await join(shop(lasting.process().store, { log: [] }), on)
  const started = await before.client.tools.start('once', {})
  await started.result()
  await before.client.close()
  await using after = await join(shop(lasting.process().store, { log: [] }), on)
  const task = await after.client.tasks.attach(started.id ?? '')
  assert.deepEqual((await task.result()).content, [{ type: 'text', text: 'once done' }])
})

test('restart: a task of a tool that cannot be run again has failed, and says why', async () => {
  const { task, log } = await restarted('once', 'once')
  await assert.rejects(task.result(), {
    code: -32603,
    message: 'Cannot continue: the server stopped while the task was running, and tool "once" cannot be run again',
  })
  assert.deepEqual(log, ['once'])
})

test('restart: a task goes on over its answers and over the effects that were done', async () => {
  const { task, log } = await restarted('order', 'free')
  assert.deepEqual((await task.result()).content, [{ type: 'text', text: 'pay done, Ann, send done' }])
  assert.deepEqual(log, ['pay', 'send', 'free', 'free'])
})

test('restart: an effect that had begun is not repeated, and the task says that it is unknown', async () => {
  const { task, log } = await restarted('order', 'pay')
  await assert.rejects(task.result(), {
    code: -32603,
    message: 'Cannot continue: step "pay" had begun when the server stopped, and whether it took effect is unknown',
    data: { step: 'pay' },
  })
  assert.deepEqual(log, ['pay'])
})

test('restart: an effect that had begun is repeated where its author says that it may be', async () => {
  const { task, log } = await restarted('order', 'send')
  assert.deepEqual((await task.result()).content, [{ type: 'text', text: 'pay done, Ann, send done' }])
  assert.deepEqual(log, ['pay', 'send', 'send', 'free'])
})

test('restart: an effect that failed did not happen, so it is tried again', async () => {
  const { task, log } = await restarted('flaky', 'wait')
  assert.deepEqual((await task.result()).content, [{ type: 'text', text: 'done' }])
  assert.deepEqual(log, ['try', 'wait', 'try'])
})

test('restart: a handler that catches an unknown effect cannot hide it', async () => {
  const { task } = await restarted('stubborn', 'pay')
  await assert.rejects(task.result(), /step "pay" had begun/)
})

test('restart: a handler that asks other questions than the last time has failed', async () => {
  const { task } = await restarted('forgetful', 'told')
  await assert.rejects(task.result(), /its handler asked other questions than in the last run/)
})

test('restart: a question that was open is open again, under the same key, and its answer is good', async () => {
  const lasting = new LastingStore()
  const first = lasting.process()
  const before = await join(shop(first.store, { log: [] }), { extensions: [tasks()], elicitation: () => never })
  const started = await before.client.tools.start('order', {})
  for await (const { status } of started) if (status === 'input_required') break
  const key = Object.keys(started.state.questions ?? {})
  first.crash()
  await before.client.close()
  await using after = await join(shop(lasting.process().store, { log: [] }), on)
  const id = started.id ?? ''
  const seen = await after.client.tasks.get(id)
  assert.deepEqual(Object.keys(seen.questions ?? {}), key)
  const task = await after.client.tasks.attach(id)
  assert.match(JSON.stringify((await task.result()).content), /Ann/)
})

test('restart: a task whose tool is gone has failed, one that was cancelled stays so, one that expired is gone', async () => {
  const lasting = new LastingStore()
  const first = lasting.process()
  const before = await join(shop(first.store, { log: [], hangsAt: 'free' }), on)
  const ids = await Promise.all(
    ['order', 'order'].map(async () => (await before.client.tools.start('order', {})).id ?? ''),
  )
  const [left = '', cancelled = ''] = ids
  await (await before.client.tasks.attach(cancelled)).cancel()
  first.crash()
  await before.client.close()
  const other = server({ ...quiet, name: 'shop', extensions: [tasks({ store: lasting.process().store })] })
  await using after = await join(
    other.tool('another', {}, () => 'x'),
    on,
  )
  await until(() => lasting.kept.unfinished(10).length === 0, 'every task to be finished')
  assert.match((await after.client.tasks.get(left)).error?.message ?? '', /and tool "order" is gone/)
  assert.equal((await after.client.tasks.get(cancelled)).status, 'cancelled')
  lasting.kept.drop(left)
  await assert.rejects(after.client.tasks.get(left), { code: -32602 })
})

test('restart: no more tasks are taken up at a time than may run', async () => {
  const lasting = new LastingStore()
  const first = lasting.process()
  const log: string[] = []
  const before = await join(shop(first.store, { log, hangsAt: 'free' }), on)
  for (let at = 0; at < 5; at++) void (await before.client.tools.start('order', {})).result().catch(() => {})
  await until(() => log.filter((step) => step === 'free').length === 5, 'five tasks to hang')
  first.crash()
  await before.client.close()
  let [running, most] = [0, 0]
  const counting = server({
    ...quiet,
    name: 'shop',
    extensions: [tasks({ store: lasting.process().store, limits: { maxTasksRunning: 2 } })],
  }).tool('order', { task: 'optional', resumable: true }, async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 5))
    running -= 1
    return 'done'
  })
  await using _after = await join(counting, on)
  await until(() => lasting.kept.unfinished(10).length === 0, 'every task to be finished')
  assert.equal(most, 2)
})
