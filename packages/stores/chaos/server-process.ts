/** One process of the server under faults: serves over HTTP, and tells a recorder of each side effect. Its settings are in the environment. */
import { setTimeout } from 'node:timers/promises'
import { serve, server } from '@trunkline/mcp'
import type { ClusterStores } from '@trunkline/mcp/http'
import { tasks } from '@trunkline/mcp/tasks'
import { z } from 'zod'
import { postgresStores } from '../postgres/src/index.ts'
import { redisStores } from '../redis/src/index.ts'
import { payLimit } from './pay-limit.ts'

const { ENGINE = '', ADDRESS = '', RECORDER = '', LEASE_MS = '', CLOCK_ERROR_MS = '0' } = process.env
const { KEYS = '[]', HANG_MS = '' } = process.env

const { now } = Date
Date.now = () => now() + Number(CLOCK_ERROR_MS)

const open = ENGINE === 'postgres' ? postgresStores : redisStores
const stores: ClusterStores = await open(ADDRESS, { deadlineMs: 2_000 })

const record = async (what: 'effect' | 'pass' | 'overslept', name: string): Promise<void> => {
  const { ok } = await fetch(`${RECORDER}/${what}`, { method: 'POST', body: name })
  if (!ok) throw new Error(`Cannot record ${what} ${name}`)
}

/** Takes a call from the limit of all processes, and records that it passed. */
const takeOne = async (): Promise<void> => {
  const { perMinute, burst } = payLimit
  if (!(await stores.limiter.take([{ key: 'pay', intervalMs: 60_000 / perMinute, burst }]))) await record('pass', 'pay')
}

const till = server({
  name: 'till',
  version: '1.0.0',
  keys: JSON.parse(KEYS),
  // an hour makes more tasks than one caller may keep
  extensions: stores.tasks ? [tasks({ ttlMs: 120_000, pollMs: 200 })] : [],
  onError: (error) => process.stderr.write(`${error instanceof Error ? error.message : error}\n`),
})
  .tool('pay', { input: z.object({ call: z.string() }) }, async ({ call }) => {
    await record('effect', call)
    // a store that is away passes nothing, and is no failure of the call
    await takeOne().catch(() => {})
    till.resources.updated('till://paid')
    return call
  })
  .resource('till://paid', { name: 'paid' }, () => 'something')
  .tool('ask', { input: z.object({ call: z.string() }) }, async ({ call }, ctx) => {
    await ctx.elicit('Go on?', z.object({ sure: z.boolean() }))
    await ctx.progress(1)
    await record('effect', call)
    await ctx.progress(2)
    return call
  })
  .tool('order', { input: z.object({ call: z.string() }) }, async ({ call }, ctx) => {
    await ctx.elicit('Order it?', z.object({ sure: z.boolean() }))
    await ctx.once('order', () => record('effect', call))
    return call
  })
  .tool('hang', { input: z.object({ call: z.string() }) }, async ({ call }, ctx) => {
    // tells the client that there is something to cancel
    await ctx.progress(1)
    const isOver = await setTimeout(Number(HANG_MS), true, { signal: ctx.signal }).catch(() => false)
    if (isOver) await record('overslept', call)
    return call
  })

if (stores.tasks)
  till.tool(
    'build',
    { input: z.object({ call: z.string() }), task: 'required', resumable: true },
    async ({ call }, ctx) => {
      await ctx.elicit('Build it?', z.object({ sure: z.boolean() }))
      await ctx.once('build', () => record('effect', call))
      return call
    },
  )

const { url } = await serve(till, {
  http: 0,
  unreadyMs: 0,
  drainMs: 1_000,
  cluster: { stores, leaseMs: Number(LEASE_MS), pollMs: 500 },
})
process.stdout.write(`${url}\n`)
