/** Tasks of several processes, as tests that run on any engine: the rules are those of owners, leases and fences. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { server } from '@trunkline/mcp'
import type { ClusterStores } from '@trunkline/mcp/http'
import { tasks } from '@trunkline/mcp/tasks'
import { z } from 'zod'
import { until } from '../../../../tools/lib/until.ts'
import { quiet } from '../fixtures/quiet.ts'
import { gate } from '../gate.ts'
import { ann } from '../tasks/render.ts'
import { type ProcessesOptions, processes } from './processes.ts'
import { aroundTasks, clientAt, type Shop, shop, stoppable, textOf } from './task-shop.ts'

/** An engine, and the conditions under which its tasks are tested. */
export interface TaskEngine {
  readonly name: string
  /** Reason for which the engine cannot be tested on this machine. @default none */
  readonly skip?: string | false
  /** Milliseconds of a lease that ends in a test; the engine answers sooner, also on a busy machine. */
  readonly shortLeaseMs: number
  /** Opens a cluster without tasks, once for each test. */
  open(): TaskCluster | Promise<TaskCluster>
}

/** The stores of a cluster. */
export interface TaskCluster extends AsyncDisposable {
  /** The stores as one process has opened them. */
  at(process: number): TaskStores
}

export type TaskStores = ClusterStores & { readonly tasks: NonNullable<ClusterStores['tasks']> }

const name = z.object({ name: z.string() })
const never = new Promise<never>(() => {})
/** So long that nothing happens because a lease ends. */
const long = { leaseMs: 600_000, pollMs: 5 }

/** Adds the tests of tasks over several processes. */
export function taskScenes({ name: engine, skip, shortLeaseMs, open }: TaskEngine): void {
  const short = { leaseMs: shortLeaseMs, pollMs: 5 }
  const scene = (title: string, run: (cluster: TaskCluster) => Promise<void>): void => {
    test(`cluster: ${engine}: ${title} (rule 4)`, skip ? { skip } : {}, async () => {
      await using cluster = await open()
      await run(cluster)
    })
  }
  /** Starts processes, each with its own connection to the stores. */
  const start = (make: (at: number) => Shop, cluster: TaskCluster, { view, ...rest }: ProcessesOptions) => {
    const viewed = (at: number): ClusterStores => view?.(at, cluster.at(at)) ?? cluster.at(at)
    return processes(make, { ...rest, stores: cluster.at(0), view: viewed })
  }

  for (const revision of ['2026-07-28', '2025-11-25']) {
    scene(`${revision}: a task is asked, answered, followed and cancelled at any process`, async (cluster) => {
      const aborted = gate<string>()
      const make = shop(async (ctx) => {
        const first = await ctx.elicit('Who are you?', name)
        if (first.name !== 'Ann') return first.name
        ctx.status('waits')
        await new Promise<void>((resolve) => ctx.signal.addEventListener('abort', () => resolve()))
        aborted.open((ctx.signal.reason as { code: string }).code)
        return 'aborted'
      })
      await using all = await start(make, cluster, long)
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

  scene(
    'one that waits elsewhere hears at once of a task that was cancelled at the process that runs it',
    async (cluster) => {
      let read = 0
      const counted = (stores: ClusterStores): ClusterStores =>
        aroundTasks(stores, async (method, _, step) => {
          const result = await step()
          if (method === 'entries') read += 1
          return result
        })
      const view = (at: number, stores: ClusterStores) => (at === 1 ? counted(stores) : stores)
      const make = shop(() => never)
      await using all = await start(make, cluster, { ...long, count: 2, view })
      const revisions = ['2025-11-25']
      await using there = await clientAt(all, 0, { revisions })
      const task = await there.tools.start('work', {})
      await using here = await clientAt(all, 1, { revisions })
      const attached = await here.tasks.attach(task.id ?? '')
      const before = read
      const result = assert.rejects(attached.result(), /cancelled/)
      // tasks/result reads it once to know it, and once more before it waits
      await until(() => read > before + 1, 'the result to be waited for')
      await task.cancel()
      await result
    },
  )

  scene('a refused question is refused wherever the task goes on', async (cluster) => {
    const make = shop(async (ctx) => ctx.elicit('Who are you?', name).then(String, (error: Error) => error.message))
    await using all = await start(make, cluster, long)
    const refuse = (): never => {
      throw new Error('no')
    }
    await using mcp = await clientAt(all, 'each', { elicitation: refuse, revisions: ['2025-11-25'] })
    const text = textOf(await (await mcp.tools.start('work', {})).result())
    assert.match(String(text), /The client refused "elicitation\/create"/)
  })

  scene(
    'a process that is stopped beyond its lease ends its work by its own clock, and writes nothing when it wakes',
    async (cluster) => {
      const stopped = stoppable()
      const log: string[] = []
      const ended = gate()
      const make = shop(async (ctx, at) => {
        await ctx.once('pay', () => void log.push(`pay at ${at}`))
        if (at > 0) {
          await ctx.once('send', () => void log.push(`send at ${at}`))
          return 'done'
        }
        log.push('waits')
        const sent = ctx.once('send', () => void log.push('send at 0')).catch(() => {})
        await new Promise<void>((resolve) => ctx.signal.addEventListener('abort', () => resolve()))
        void sent.then(ended.open)
        return 'late'
      })
      // the process stops before it can store that it sends
      const view = (at: number, stores: ClusterStores): ClusterStores =>
        at > 0
          ? stores
          : aroundTasks(stopped.view(stores), (method, given, step) => {
              if (method === 'write' && JSON.stringify(given).includes('send')) stopped.stop()
              return step()
            })
      await using all = await start(make, cluster, { ...short, count: 2, view })
      await using there = await clientAt(all, 0)
      const { id = '' } = await there.tools.start('work', {})
      await using here = await clientAt(all, 1)
      assert.equal(textOf(await (await here.tasks.attach(id)).result()), 'done')
      const { tasks: stored } = cluster.at(1)
      const before = await stored.entries(id)
      stopped.goOn()
      await ended.promise
      assert.deepEqual(log, ['pay at 0', 'waits', 'send at 1'])
      assert.deepEqual(await stored.entries(id), before)
      assert.match(JSON.stringify((await stored.load(id))?.outcome), /done/)
    },
  )

  scene('an old process, without the tool of a task, leaves it to one that has it', async (cluster) => {
    const [old, fresh] = [stoppable(), stoppable()]
    const make = shop((_, at) => (at === 1 ? never : 'done'))
    const without = () => server({ ...quiet, name: 'shop', extensions: [tasks()] })
    const view = (at: number, stores: ClusterStores) => (at === 0 ? old : fresh).view(stores)
    const makeBoth = (at: number) => (at === 0 ? without() : make(at)) as Shop
    await using all = await start(makeBoth, cluster, { ...short, count: 2, view })
    await using there = await clientAt(all, 1)
    const { id = '' } = await there.tools.start('work', {})
    fresh.stop()
    const { tasks: stored } = cluster.at(0)
    await until(async () => (await stored.unowned(1)).length === 1, 'the lease to end')
    const looks = (): number => old.called.filter((method) => method === 'unowned').length
    const first = looks()
    await until(() => looks() > first + 1, 'the process without the tool to look twice')
    assert.ok(!old.called.includes('claim'))
    assert.equal((await stored.load(id))?.status, 'working')
    await using more = await start(() => make(2), cluster, { ...short, count: 1 })
    await using here = await clientAt(more, 0)
    assert.equal(textOf(await (await here.tasks.attach(id)).result()), 'done')
    fresh.goOn()
  })

  scene(
    'an answer that comes between the storing of a question and the wait for it is found, also when no bell rings',
    async (cluster) => {
      const [stored, goOn] = [gate(), gate()]
      const make = shop(async (ctx) => (await ctx.elicit('Who are you?', name)).name)
      const slow = (stores: ClusterStores): ClusterStores => ({
        ...aroundTasks(stores, async (method, _, step) => {
          const result = await step()
          if (method === 'write') {
            stored.open()
            await goOn.promise
          }
          return result
        }),
        // it hears nothing
        bell: { ring: (names) => stores.bell.ring(names), listen: () => () => {} },
      })
      const view = (at: number, stores: ClusterStores) => (at === 0 ? slow(stores) : stores)
      await using all = await start(make, cluster, { ...long, count: 2, view })
      await using there = await clientAt(all, 0, { elicitation: ann })
      const { id = '' } = await there.tools.start('work', {})
      await stored.promise
      await using here = await clientAt(all, 1, { elicitation: ann })
      const result = (await here.tasks.attach(id)).result()
      const isAnswered = async () => (await cluster.at(1).tasks.entries(id)).some(({ kind }) => kind === 'answer')
      await until(isAnswered, 'the answer to be stored')
      goOn.open()
      assert.equal(textOf(await result), 'Ann')
    },
  )

  scene(
    'a process that ends gives a resumable task back when its effect is stored, and another goes on at once',
    async (cluster) => {
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
      await using all = await start(make, cluster, { ...long, count: 2, drainMs: 60_000 })
      await using there = await clientAt(all, 0)
      const { id = '' } = await there.tools.start('work', {})
      await paying.promise
      const closed = all.at(0).close()
      paid.open()
      await using here = await clientAt(all, 1)
      assert.equal(textOf(await (await here.tasks.attach(id)).result()), 'done')
      await closed
      assert.deepEqual(log, ['pay at 0', 'send at 1'])
    },
  )

  scene(
    'a process that ends does not take back what it gave, also when it looked for tasks before',
    async (cluster) => {
      const [looking, released, paying, paid] = [gate(), gate(), gate(), gate()]
      const log: string[] = []
      const make = shop(async (ctx, at) => {
        await ctx.once('pay', async () => {
          paying.open()
          await paid.promise
        })
        await ctx.once('send', () => void log.push(`send at ${at}`))
        return 'done'
      })
      const slow = (stores: ClusterStores): ClusterStores =>
        aroundTasks(stores, async (method, _, step) => {
          if (method === 'unowned') {
            looking.open()
            await released.promise
          }
          const done = await step()
          if (method === 'release') released.open()
          return done
        })
      const view = (at: number, stores: ClusterStores) => (at === 0 ? slow(stores) : stores)
      await using all = await start(make, cluster, { ...long, count: 2, drainMs: 60_000, view })
      await using there = await clientAt(all, 0)
      const { id = '' } = await there.tools.start('work', {})
      await Promise.all([paying.promise, looking.promise])
      const closed = all.at(0).close()
      paid.open()
      await using here = await clientAt(all, 1)
      assert.equal(textOf(await (await here.tasks.attach(id)).result()), 'done')
      await closed
      assert.deepEqual(log, ['send at 1'])
    },
  )

  scene('a process that ends gives back what it takes at the same moment', async (cluster) => {
    const [paying, paid, claiming, ending, givenBack] = [gate(), gate(), gate(), gate(), gate()]
    const log: string[] = []
    const make = shop(async (ctx, at) => {
      await ctx.once('pay', async () => {
        paying.open()
        await paid.promise
      })
      await ctx.once('send', () => void log.push(`send at ${at}`))
      return 'done'
    })
    const view = (at: number, stores: ClusterStores): ClusterStores =>
      aroundTasks(stores, async (method, _, step) => {
        if (at === 0 && method === 'claim') {
          claiming.open()
          await ending.promise
        }
        if (at === 2 && method === 'unowned') await givenBack.promise
        const done = await step()
        if (at === 0 && method === 'release') givenBack.open()
        return done
      })
    await using all = await start(make, cluster, { ...long, count: 3, drainMs: 60_000, view })
    await using _joined = await clientAt(all, 0)
    await using there = await clientAt(all, 1)
    const { id = '' } = await there.tools.start('work', {})
    await paying.promise
    const closed = [all.at(1).close()]
    paid.open()
    await claiming.promise
    closed.push(all.at(0).close())
    ending.open()
    await using here = await clientAt(all, 2)
    assert.equal(textOf(await (await here.tasks.attach(id)).result()), 'done')
    await Promise.all(closed)
    assert.deepEqual(log, ['send at 2'])
  })

  scene('a process that ends waits for a task that cannot be run again', async (cluster) => {
    const [working, done] = [gate(), gate()]
    const make = shop(
      async () => {
        working.open()
        await done.promise
        return 'done'
      },
      { resumable: false },
    )
    await using all = await start(make, cluster, { ...long, count: 2, drainMs: 60_000 })
    await using there = await clientAt(all, 0)
    const { id = '' } = await there.tools.start('work', {})
    await working.promise
    const closed = all.at(0).close()
    done.open()
    await using here = await clientAt(all, 1)
    assert.equal(textOf(await (await here.tasks.attach(id)).result()), 'done')
    await closed
  })

  scene(
    'a task that cannot be run again, and outlasts the process that runs it, is ended by another one',
    async (cluster) => {
      const [working, done] = [gate(), gate()]
      const make = shop(
        async () => {
          working.open()
          await done.promise
        },
        { resumable: false },
      )
      await using all = await start(make, cluster, { ...short, count: 2 })
      await using there = await clientAt(all, 0)
      const { id = '' } = await there.tools.start('work', {})
      await working.promise
      const closed = all.at(0).close()
      await using here = await clientAt(all, 1)
      const result = (await here.tasks.attach(id)).result()
      const why = /the server stopped while the task was running, and tool "work" cannot be run again/
      await assert.rejects(result, why)
      await closed
      done.open()
    },
  )
}
