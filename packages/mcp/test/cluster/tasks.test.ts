/** Tasks of several processes: the rules are those of owners, leases and fences. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../no-leaks.ts'
import { type ConnectOptions, type Context, connect, server } from '@trunkline/mcp'
import { type ClusterStores, memoryCluster, toFetch } from '@trunkline/mcp/http'
import { MemoryTaskStore, type TaskContext, tasks } from '@trunkline/mcp/tasks'
import { z } from 'zod'
import { quiet } from '../fixtures/quiet.ts'
import { gate } from '../gate.ts'
import { turnsUntil } from '../soon.ts'
import { ann } from '../tasks/render.ts'
import { processes } from './processes.ts'

const name = z.object({ name: z.string() })
const never = new Promise<never>(() => {})
/** So long that nothing happens because a lease ends. */
const long = { leaseMs: 600_000, pollMs: 5 }
const short = { leaseMs: 60, pollMs: 5 }

/** A server with one tool, `work`, which runs as a task that may be run again. */
function shop(work: (ctx: Context & TaskContext, at: number) => unknown, { resumable = true } = {}) {
  return (at: number) =>
    server({ ...quiet, name: 'shop', extensions: [tasks({ pollMs: 20 })] }).tool(
      'work',
      { task: 'required', resumable },
      async (_, ctx) => String(await work(ctx, at)),
    )
}

type Shop = ReturnType<ReturnType<typeof shop>>
type All = Awaited<ReturnType<typeof processes<Shop>>>

/** A client whose requests all go to one process, or each to another one. */
function clientAt(all: All, at: number | 'each', options: ConnectOptions = {}) {
  let next = 0
  const fetch = (url: string, init: RequestInit): Promise<Response> =>
    all.at(at === 'each' ? next++ % 3 : at)(new Request(url, init))
  return connect('http://localhost/mcp', { extensions: [tasks()], ...options, http: { fetch } })
}

const textOf = ({ content }: { readonly content?: unknown }): unknown =>
  (content as readonly { readonly text?: unknown }[] | undefined)?.[0]?.text

/** Stores whose tasks answer nothing to a process while it is stopped; what it sends meanwhile arrives afterwards. */
function stoppable() {
  let stopped: ReturnType<typeof gate<void>> | undefined
  const called: string[] = []
  return {
    called,
    stop: () => {
      stopped = gate()
    },
    goOn: () => {
      stopped?.open()
      stopped = undefined
    },
    view: (stores: ClusterStores): ClusterStores => ({
      ...stores,
      tasks: new Proxy(stores.tasks ?? assert.fail(), {
        get(target, method) {
          const member: unknown = Reflect.get(target, method)
          if (typeof member !== 'function') return member
          return async (...given: unknown[]) => {
            await stopped?.promise
            called.push(String(method))
            return Reflect.apply(member, target, given)
          }
        },
      }),
    }),
  }
}

for (const revision of ['2026-07-28', '2025-11-25']) {
  test(`cluster: ${revision}: a task is asked, answered, followed and cancelled at any process (rule 4)`, async () => {
    const aborted = gate<string>()
    const make = shop(async (ctx) => {
      const first = await ctx.elicit('Who are you?', name)
      if (first.name !== 'Ann') return first.name
      ctx.status('waits')
      await new Promise<void>((resolve) => ctx.signal.addEventListener('abort', () => resolve()))
      aborted.open((ctx.signal.reason as { code: string }).code)
      return 'aborted'
    })
    await using all = await processes(make, long)
    await using mcp = await clientAt(all, 'each', { elicitation: ann, revisions: [revision] })
    const task = await mcp.tools.start('work', {})
    const result = task.result().catch((error: { code: unknown }) => error.code)
    for await (const { statusMessage } of task) if (statusMessage === 'waits') break
    await task.cancel()
    assert.equal(await aborted.promise, 'Cancelled')
    assert.ok(['Cancelled', -32603].includes((await result) as string))
    assert.equal((await mcp.tasks.get(task.id ?? '')).status, 'cancelled')
  })
}

test('cluster: a refused question is refused wherever the task goes on (rule 4)', async () => {
  const make = shop(async (ctx) => ctx.elicit('Who are you?', name).then(String, (error: Error) => error.message))
  await using all = await processes(make, long)
  const refuse = (): never => {
    throw new Error('no')
  }
  await using mcp = await clientAt(all, 'each', { elicitation: refuse, revisions: ['2025-11-25'] })
  const text = textOf(await (await mcp.tools.start('work', {})).result())
  assert.match(String(text), /The client refused "elicitation\/create"/)
})

test('cluster: a process that is stopped beyond its lease ends its work by its own clock, and writes nothing when it wakes (rule 4)', async () => {
  const stopped = stoppable()
  const log: string[] = []
  const ended = gate()
  const make = shop(async (ctx, at) => {
    await ctx.once('pay', () => void log.push(`pay at ${at}`))
    if (at === 0) {
      log.push('waits')
      const sent = ctx.once('send', () => void log.push('send at 0')).catch(() => {})
      await new Promise<void>((resolve) => ctx.signal.addEventListener('abort', () => resolve()))
      void sent.then(ended.open)
      return 'late'
    }
    await ctx.once('send', () => void log.push(`send at ${at}`))
    return 'done'
  })
  // the process stops before it can store that it sends
  const original = stopped.view
  const view = (at: number, stores: ClusterStores) => (at === 0 ? stopping(original(stores)) : stores)
  const stopping = (stores: ClusterStores): ClusterStores => ({
    ...stores,
    tasks: new Proxy(stores.tasks ?? assert.fail(), {
      get(target, method) {
        const member = Reflect.get(target, method) as (...given: unknown[]) => unknown
        return (...given: unknown[]) => {
          if (method === 'write' && JSON.stringify(given).includes('send')) stopped.stop()
          return member(...given)
        }
      },
    }),
  })
  await using all = await processes(make, { ...short, count: 2, view })
  await using there = await clientAt(all, 0)
  const { id = '' } = await there.tools.start('work', {})
  await using here = await clientAt(all, 1)
  assert.equal(textOf(await (await here.tasks.attach(id)).result()), 'done')
  const before = await all.stores.tasks?.entries(id)
  stopped.goOn()
  await ended.promise
  assert.deepEqual(log, ['pay at 0', 'waits', 'send at 1'])
  assert.deepEqual(await all.stores.tasks?.entries(id), before)
  assert.match(JSON.stringify((await all.stores.tasks?.load(id))?.outcome), /done/)
})

test('cluster: a process without the tool of a task leaves it to one that has it (rule 4)', async () => {
  const [old, fresh] = [stoppable(), stoppable()]
  const stores = memoryCluster()
  const make = shop((_, at) => (at === 1 ? never : 'done'))
  const without = () => server({ ...quiet, name: 'shop', extensions: [tasks()] })
  const makers = [without, make] as const
  const view = (at: number, shared: ClusterStores) => (at === 0 ? old : fresh).view(shared)
  await using all = await processes((at) => (makers[at] ?? make)(at) as Shop, { ...short, stores, count: 2, view })
  await using there = await clientAt(all, 1)
  const { id = '' } = await there.tools.start('work', {})
  fresh.stop()
  await turnsUntil(async () => (await stores.tasks?.unowned(1))?.length === 1, 'the lease to end')
  const looks = (): number => old.called.filter((method) => method === 'unowned').length
  const first = looks()
  await turnsUntil(() => looks() > first + 1, 'the process without the tool to look twice')
  assert.ok(!old.called.includes('claim'))
  assert.equal((await stores.tasks?.load(id))?.status, 'working')
  await using more = await processes(make, { ...short, stores, count: 1 })
  await using here = await clientAt(more, 0)
  assert.equal(textOf(await (await here.tasks.attach(id)).result()), 'done')
  fresh.goOn()
})

test('cluster: an answer that comes between the storing of a question and the wait for it is found, also when no bell rings (rule 4)', async () => {
  const [stored, goOn] = [gate(), gate()]
  const make = shop(async (ctx) => (await ctx.elicit('Who are you?', name)).name)
  const slow = (stores: ClusterStores): ClusterStores => ({
    ...stores,
    // it hears nothing
    bell: { ring: (names) => stores.bell.ring(names), listen: () => () => {} },
    tasks: new Proxy(stores.tasks ?? assert.fail(), {
      get(target, method) {
        const member = Reflect.get(target, method) as (...given: unknown[]) => unknown
        return async (...given: unknown[]) => {
          const result = await Reflect.apply(member, target, given)
          if (method === 'write') {
            stored.open()
            await goOn.promise
          }
          return result
        }
      },
    }),
  })
  const view = (at: number, stores: ClusterStores) => (at === 0 ? slow(stores) : stores)
  await using all = await processes(make, { ...long, count: 2, view })
  await using there = await clientAt(all, 0, { elicitation: ann })
  const { id = '' } = await there.tools.start('work', {})
  await stored.promise
  await using here = await clientAt(all, 1, { elicitation: ann })
  const result = (await here.tasks.attach(id)).result()
  await turnsUntil(async () => {
    const entries = (await all.stores.tasks?.entries(id)) ?? []
    return entries.some(({ kind }) => kind === 'answer')
  }, 'the answer to be stored')
  goOn.open()
  assert.equal(textOf(await result), 'Ann')
})

test('cluster: a process that ends gives a resumable task back when its effect is stored, and another goes on at once (rule 4)', async () => {
  const [paying, paid] = [gate(), gate()]
  const log: string[] = []
  const make = shop(async (ctx, at) => {
    await ctx.once('pay', async () => {
      log.push(`pay at ${at}`)
      paying.open()
      await paid.promise
    })
    await ctx.once('send', () => void log.push(`send at ${at}`))
    return 'done'
  })
  await using all = await processes(make, { ...long, count: 2, drainMs: 60_000 })
  await using there = await clientAt(all, 0)
  const { id = '' } = await there.tools.start('work', {})
  await paying.promise
  const closed = all.at(0).close()
  paid.open()
  await using here = await clientAt(all, 1)
  assert.equal(textOf(await (await here.tasks.attach(id)).result()), 'done')
  await closed
  assert.deepEqual(log, ['pay at 0', 'send at 1'])
})

test('cluster: a process that ends waits for a task that cannot be run again, and another ends one that takes too long (rule 4)', async () => {
  const gates = [gate(), gate()] as const
  let started = 0
  const make = shop(
    async () => {
      await gates[started++ % 2]?.promise
      return 'done'
    },
    { resumable: false },
  )
  for (const drainMs of [60_000, 1]) {
    await using all = await processes(make, { ...long, count: 2, drainMs })
    await using there = await clientAt(all, 0)
    const { id = '' } = await there.tools.start('work', {})
    await turnsUntil(() => started > 0, 'the work to begin')
    const closed = all.at(0).close()
    if (drainMs > 1) gates[0].open()
    await using here = await clientAt(all, 1)
    const result = (await here.tasks.attach(id)).result()
    if (drainMs > 1) assert.equal(textOf(await result), 'done')
    else
      await assert.rejects(result, /the server stopped while the task was running, and tool "work" cannot be run again/)
    await closed
  }
  gates[1].open()
})

test('cluster: tasks are refused where the engine keeps none, and beside a store of their own', () => {
  const { tasks: _, ...rest } = memoryCluster()
  const make = shop(() => 'done')
  const redis = { ...rest, engine: 'Redis' }
  const why = /Cannot serve in a cluster: Redis keeps no tasks, because a failover may lose what was acknowledged/
  assert.throws(() => toFetch(make(0), { cluster: redis }), why)
  const own = server({ ...quiet, name: 'shop', extensions: [tasks({ store: new MemoryTaskStore() })] })
  assert.throws(() => toFetch(own, { cluster: memoryCluster() }), /"store" of tasks\(\) is given too/)
  const old = { create() {}, load() {}, update() {}, write() {}, entries() {}, list() {} }
  const stores = { ...rest, tasks: old } as unknown as ClusterStores
  assert.throws(() => toFetch(make(0), { cluster: stores }), /"tasks" has no method "createOwned"/)
})
