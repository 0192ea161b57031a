/** One process of the server under faults: serves over HTTP, and tells a recorder of each side effect. Its settings are in the environment. */
import { serve, server } from '@trunkline/mcp'
import type { ClusterStores } from '@trunkline/mcp/http'
import { z } from 'zod'
import { postgresStores } from '../postgres/src/index.ts'
import { redisStores } from '../redis/src/index.ts'

const { ENGINE = '', ADDRESS = '', RECORDER = '', LEASE_MS = '', CLOCK_ERROR_MS = '0' } = process.env

const { now } = Date
Date.now = () => now() + Number(CLOCK_ERROR_MS)

const effect = async (call: string): Promise<void> => {
  const { ok } = await fetch(RECORDER, { method: 'POST', body: call })
  if (!ok) throw new Error(`Cannot record the effect of ${call}`)
}

const till = server({
  name: 'till',
  version: '1.0.0',
  keys: ['a key for the faults, of thirty-two characters and more'],
  onError: (error) => process.stderr.write(`${error instanceof Error ? error.message : error}\n`),
})
  .tool('pay', { input: z.object({ call: z.string() }) }, async ({ call }) => {
    await effect(call)
    return call
  })
  .tool('ask', { input: z.object({ call: z.string() }) }, async ({ call }, ctx) => {
    await ctx.elicit('Go on?', z.object({ sure: z.boolean() }))
    await effect(call)
    return call
  })

const open = ENGINE === 'postgres' ? postgresStores : redisStores
const stores: ClusterStores = await open(ADDRESS, { deadlineMs: 2_000 })
const { url } = await serve(till, { http: 0, cluster: { stores, leaseMs: Number(LEASE_MS), pollMs: 500 } })
process.stdout.write(`${url}\n`)
