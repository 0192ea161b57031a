/** One process of a server with tasks: prints its address, then each step of its work. Its settings are in the environment. */
import { createInterface } from 'node:readline'
import { serve } from '@trunkline/mcp'
import { shop } from '../../../mcp/test/cluster/task-shop.ts'
import { postgresStores } from '../src/index.ts'

const { ADDRESS = '', NUMBER = '', LEASE_MS = '' } = process.env

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const told = new Promise<void>((resolve) => createInterface(process.stdin).once('line', () => resolve()))

// the first process works on only when it is told to
const make = shop(async (ctx, at) => {
  await ctx.once('pay', () => print(`pay at ${at}`))
  if (at === 0) {
    print('paid at 0')
    await told
  }
  try {
    await ctx.once('send', () => print(`send at ${at}`))
  } catch (error) {
    print(`no send at ${at}`)
    throw error
  }
  return `done at ${at}`
})

const stores = await postgresStores(ADDRESS)
const { url } = await serve(make(Number(NUMBER)), {
  http: 0,
  cluster: { stores, leaseMs: Number(LEASE_MS), pollMs: 500 },
})
print(url)
