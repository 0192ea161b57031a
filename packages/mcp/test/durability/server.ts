/** A server that keeps everything in one file, counts its effects elsewhere, and dies where it is told to. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { tasks } from '../../src/extensions/tasks/tasks.ts'
import { serve } from '../../src/serve.ts'
import { server } from '../../src/server/server.ts'
import { sqliteStores } from '../../src/stores/sqlite/stores.ts'
import { quiet } from '../fixtures/quiet.ts'
import { Points } from './points.ts'
import { repeatable, type Setup, steps } from './setup.ts'

const setup: Setup = JSON.parse(process.argv[2] ?? '{}')
const stores = sqliteStores(setup.file)
const points = new Points(setup)
const text = { type: 'string' } as const
const input = { type: 'object', properties: { order: text }, required: ['order'] } as const
const form = { type: 'object', properties: { name: text }, required: ['name'] } as const

const shop = server({
  ...quiet,
  name: 'shop',
  extensions: [tasks({ store: points.around(stores.tasks), pollMs: 50, limits: { maxTasksPerCaller: 10_000 } })],
})
  .tool('order', { input, task: 'optional', resumable: true }, async ({ order }, ctx) => {
    const at = (name: string): void => points.reach(ctx.taskId, name)
    const step = (key: string): Promise<string> =>
      ctx.once(key, () => effect(order, key, at), { repeatable: key === repeatable })
    at('handler begins')
    ctx.status('working on it')
    const done = [await step(steps[0])]
    const { name } = await ctx.elicit('Who are you?', form)
    at('answered')
    done.push(await step(steps[1]), await step(steps[2]))
    at('handler ends')
    return `${done.join(', ')} for ${name}`
  })
  .tool('print', { input, task: 'optional' }, async ({ order }, ctx) =>
    effect(order, 'print', (name) => points.reach(ctx.taskId, name)),
  )
  .tool('tick', { task: 'optional', resumable: true, pollMs: 60_000 }, async (_, ctx) => {
    // a client that hears of it so often does not poll
    for (;;) {
      ctx.status(`tick of ${process.pid}`)
      await sleep(20, undefined, { signal: ctx.signal })
    }
  })
  .tool('pid', {}, () => String(process.pid))

/** Does something that cannot be undone, in another process. */
async function effect(order: string, key: string, at: (point: string) => void): Promise<string> {
  at(`before the effect ${key}`)
  // a fetch would load more than all the rest of the server
  const socket = connect(setup.counter, '127.0.0.1')
  socket.write(`${JSON.stringify({ order, key })}\n`)
  await once(socket, 'data')
  socket.end()
  at(`after the effect ${key}`)
  return `${key} done`
}

if (setup.http) {
  const { url } = await serve(shop, {
    http: 0,
    sessions: { store: stores.sessions, events: stores.events, retryMs: 50 },
  })
  process.stdout.write(`${url}\n`)
} else await serve(shop)
