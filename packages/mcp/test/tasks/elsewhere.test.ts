import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../../tools/lib/until.ts'
import { open } from '../../src/client/open.ts'
import type { TaskContext } from '../../src/extensions/tasks/server/tasks-on-server.ts'
import { tasks } from '../../src/extensions/tasks/tasks.ts'
import type { Context } from '../../src/server/context.ts'
import { relay } from '../../src/server/relay.ts'
import type { RelayRequest } from '../../src/server/relay-options.ts'
import { MemoryTaskStore } from '../../src/stores/memory-task-store.ts'
import type { TaskStore } from '../../src/stores/task-store.ts'
import { memoryPair } from '../../src/transports/memory.ts'
import type { Fields } from '../../src/wire/messages.ts'
import { ann, studio } from './render.ts'

const connectTo = (server: { serve(channel: ReturnType<typeof memoryPair>[0]): unknown }, revision: string) =>
  open(
    () => {
      const [near, far] = memoryPair()
      server.serve(far)
      return near
    },
    { revisions: [revision], extensions: [tasks()], elicitation: ann },
  )

/** A relay that owns the tasks it hands out, while the work is done behind it, in tasks of a server of another revision. */
async function gateway(revision: string, store: TaskStore = new MemoryTaskStore()) {
  const upstream = await connectTo(studio(), revision)
  const handed: string[] = []
  const gate = relay({
    name: 'gate',
    version: '1',
    keys: ['a key for tests, of thirty-two characters and more'],
    capabilities: { tools: {} },
    extensions: [tasks({ store, pollMs: 50 })],
    tool: () => ({ task: 'optional', resumable: true }),
    async handle(request: RelayRequest): Promise<Fields> {
      const { name, arguments: input = {} } = request.params as { name: string; arguments?: Fields }
      const ctx = request.ctx as Context & TaskContext
      if (request.method !== 'tools/call') return upstream.request(request.method, request.params)
      const id = await ctx.once('start', async () => (await upstream.tools.start(name, input)).id)
      if (id === undefined) throw new Error('no task behind')
      handed.push(id)
      const task = await upstream.tasks.attach(id, { answer: (method, params) => request.ask(method, params) })
      request.signal.addEventListener('abort', () => {
        // a relay that closes leaves the work where it is
        if (request.signal.reason.code === 'Cancelled') void task.cancel().catch(() => {})
      })
      for await (const { statusMessage } of task) if (statusMessage !== undefined) ctx.status(statusMessage)
      return (await task.result()) as unknown as Fields
    },
  })
  return { gate, upstream, handed }
}

const pairs = [
  ['2026-07-28', '2025-11-25'],
  ['2025-11-25', '2026-07-28'],
] as const

for (const [before, behind] of pairs) {
  test(`relay: a caller of ${before} gets a task of the relay's own for work that a server of ${behind} does`, async () => {
    const { gate, upstream, handed } = await gateway(behind)
    await using client = await connectTo(gate, before)
    const task = await client.tools.start('render', { frames: 4 })
    const words: unknown[] = []
    for await (const { statusMessage } of task) words.push(statusMessage)
    assert.match(JSON.stringify((await task.result()).content), /frames.*4/)
    assert.ok(words.some((word) => /^frame \d$/.test(String(word))))
    assert.ok(task.id && handed.length === 1 && !handed.includes(task.id))
    await upstream.close()
  })

  test(`relay: the caller (${before}) answers the questions of a task behind it (${behind})`, async () => {
    const { gate, upstream } = await gateway(behind)
    await using client = await connectTo(gate, before)
    const task = await client.tools.start('ask', {})
    assert.deepEqual((await task.result()).content, [{ type: 'text', text: 'Ann and Ann' }])
    await upstream.close()
  })

  test(`relay: cancelling its task (${before}) cancels the one behind it (${behind})`, async () => {
    const { gate, upstream, handed } = await gateway(behind)
    await using client = await connectTo(gate, before)
    const task = await client.tools.start('hang', {})
    await until(() => handed.length > 0, 'the task behind the relay')
    await task.cancel()
    const [id = ''] = handed
    await until(async () => (await upstream.tasks.get(id)).status === 'cancelled', 'the task behind to be cancelled')
    await upstream.close()
  })
}

test('relay: a task goes on in the next process with the same work behind it', async () => {
  const store = new MemoryTaskStore()
  const first = await gateway('2026-07-28', store)
  const before = await connectTo(first.gate, '2026-07-28')
  const { id = '' } = await before.tools.start('ask', {})
  await until(() => first.handed.length > 0, 'the task behind the relay')
  await before.close()
  await first.gate.close()
  const second = await gateway('2026-07-28', store)
  await using after = await connectTo(second.gate, '2026-07-28')
  // the work behind is not started a second time, and this server knows nothing of the first one's
  const task = await after.tasks.attach(id)
  await assert.rejects(task.result(), /no such task/)
  assert.deepEqual(second.handed, first.handed)
  await first.upstream.close()
  await second.upstream.close()
})
