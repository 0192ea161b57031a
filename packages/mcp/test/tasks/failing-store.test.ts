/** A store that fails while tasks run: what callers hear, what is done, and what is not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { until } from '../../../../tools/lib/until.ts'
import { tasks } from '../../src/extensions/tasks/tasks.ts'
import { server } from '../../src/server/server.ts'
import { MemoryTaskStore } from '../../src/stores/memory-task-store.ts'
import type { TaskEntry, TaskStore } from '../../src/stores/task-store.ts'
import { join } from '../../src/testing/revisions.ts'
import { McpError } from '../../src/wire/errors.ts'
import { quiet } from '../fixtures/quiet.ts'
import { soon } from '../soon.ts'
import { LastingStore } from './crashing-store.ts'
import { ann } from './render.ts'

const on = { extensions: [tasks()], elicitation: ann } as const

interface Failing {
  readonly kept: MemoryTaskStore
  readonly store: TaskStore
  /** The writes that fail: the method, and of entries the state. */
  fails: string | undefined
}

/** A store in memory that fails when told to, as a file does. */
function failing(): Failing {
  const kept = new MemoryTaskStore()
  const fail = (name: string): void => {
    if (name === made.fails) throw new McpError('Store', 'Cannot use "/srv/secret/place.db": the disk is full')
  }
  const store: TaskStore = {
    create: (...args) => {
      fail('create')
      return kept.create(...args)
    },
    update: (id, update) => {
      fail(update.status === undefined ? 'status' : 'end')
      return kept.update(id, update)
    },
    write: (id, entry) => {
      fail(`${entry.kind} ${entry.value.state ?? ''}`.trim())
      return kept.write(id, entry)
    },
    load: (id) => kept.load(id),
    entries: (id) => kept.entries(id),
    list: (principal, most, after) => kept.list(principal, most, after),
    unfinished: (most, after) => kept.unfinished(most, after),
    drop: (id) => kept.drop(id),
  }
  const made: Failing = { kept, store, fails: undefined }
  return made
}

function shop(store: TaskStore, log: string[], errors: unknown[] = []) {
  const onError = (error: unknown): void => void errors.push(error)
  return server({ ...quiet, onError, name: 'shop', extensions: [tasks({ store, pollMs: 50 })] })
    .tool('pay', { task: 'optional', resumable: true }, async (_, ctx) => {
      await ctx.once('pay', () => log.push('pay')).catch(() => log.push('caught'))
      return 'paid'
    })
    .tool('ask', { task: 'optional' }, async (_, ctx) => {
      return (await ctx.elicit('Who are you?', z.object({ name: z.string() }))).name
    })
}

test('store: a task that cannot be kept is refused before its tool begins, and the caller does not learn where', async () => {
  const made = failing()
  const log: string[] = []
  const errors: unknown[] = []
  await using both = await join(shop(made.store, log, errors), on)
  made.fails = 'create'
  await assert.rejects(both.client.tools.start('pay', {}), { code: -32603, message: 'Cannot keep a task' })
  assert.deepEqual(log, [])
  assert.match(String(errors[0]), /secret/)
  assert.doesNotMatch(both.transcript.toString(), /secret/)
})

test('store: an effect whose beginning cannot be kept does not begin', async () => {
  const made = failing()
  const log: string[] = []
  await using both = await join(shop(made.store, log), on)
  made.fails = 'effect begun'
  await (await both.client.tools.start('pay', {})).result()
  assert.deepEqual(log, ['caught'])
})

test('store: an effect whose end cannot be kept fails the task, which says so, whatever its handler catches', async () => {
  const made = failing()
  const log: string[] = []
  await using both = await join(shop(made.store, log), on)
  made.fails = 'effect done'
  await assert.rejects((await both.client.tools.start('pay', {})).result(), {
    code: -32603,
    message: 'Cannot continue: effect "pay" was done, and that cannot be stored',
  })
  assert.deepEqual(log.slice(0, 1), ['pay'])
})

test('store: a question that cannot be kept is not asked', async () => {
  const made = failing()
  await using both = await join(shop(made.store, []), on)
  made.fails = 'question'
  const task = await both.client.tools.start('ask', {})
  await assert.rejects(task.result(), { code: -32603, message: /^Cannot continue: question "\S+" cannot be stored$/ })
  assert.doesNotMatch(both.transcript.toString(), /secret/)
})

test('store: an end that cannot be kept is tried again until it can, and not reported before', async () => {
  const made = failing()
  const errors: unknown[] = []
  await using both = await join(shop(made.store, [], errors), on)
  made.fails = 'end'
  const task = await both.client.tools.start('pay', {})
  for await (const { status, statusMessage } of task) {
    assert.equal(status, 'working')
    if (statusMessage === 'The task has ended, but its result cannot be stored at the moment') break
  }
  await assert.rejects(both.client.request('tasks/cancel', { taskId: task.id }), { code: -32603 })
  made.fails = undefined
  assert.deepEqual((await task.result()).content, [{ type: 'text', text: 'paid' }])
  assert.equal(made.kept.load(task.id ?? '')?.status, 'completed')
  assert.equal(errors.filter((error) => /secret/.test(String(error))).length >= 1, true)
})

test('close: an effect that is broken off is not taken for one that did not happen', async () => {
  const lasting = new LastingStore()
  const log: string[] = []
  const paying = (store: TaskStore) =>
    server({ ...quiet, name: 'shop', extensions: [tasks({ store, pollMs: 50 })] }).tool(
      'pay',
      { task: 'optional', resumable: true },
      async (_, ctx) => {
        await ctx.once('pay', () => {
          log.push('pay')
          return new Promise((_resolve, reject) =>
            ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason)),
          )
        })
        return 'paid'
      },
    )
  const first = paying(lasting.process().store)
  const before = await join(first, on)
  const { id = '' } = await before.client.tools.start('pay', {})
  await until(() => log.length > 0, 'the first step')
  await first.close()
  await using after = await join(paying(lasting.process().store), on)
  const task = await after.client.tasks.attach(id)
  await assert.rejects(soon(task.result(), 'the end of the task'), /step "pay" had begun when the server stopped/)
  assert.deepEqual(log, ['pay'])
})

test('detach: events before there was a task are kept with it, all at once', async () => {
  const seen: (readonly TaskEntry[] | undefined)[] = []
  const kept = new MemoryTaskStore()
  const store = new Proxy(kept, {
    get: (target, name) => {
      const method = Reflect.get(target, name, target)
      if (name === 'create')
        return (...args: Parameters<MemoryTaskStore['create']>) => {
          seen.push(args[2])
          return target.create(...args)
        }
      return typeof method === 'function' ? method.bind(target) : method
    },
  })
  let paid = 0
  const asking = server({ ...quiet, name: 'shop', extensions: [tasks({ store, pollMs: 50 })] }).tool(
    'order',
    { task: 'optional', asksFirst: true },
    async (_, ctx) => {
      const pay = () => ctx.once('pay', () => ++paid)
      const { name } = await ctx.elicit('Who are you?', z.object({ name: z.string() }))
      await pay()
      await ctx.detach()
      return `${name} paid ${await pay()}`
    },
  )
  for (const revision of ['2026-07-28', '2025-11-25']) {
    paid = 0
    seen.length = 0
    await using both = await join(asking, { ...on, revisions: [revision] })
    const task = await both.client.tools.start('order', {})
    assert.deepEqual((await task.result()).content, [{ type: 'text', text: 'Ann paid 1' }])
    const kinds = seen[0]?.map(({ kind, value }) => `${kind} ${value.state ?? ''}`.trim())
    assert.deepEqual(kinds, ['question', 'answer', 'effect done'])
    assert.equal((await kept.entries(task.id ?? '')).length, 3)
  }
})
