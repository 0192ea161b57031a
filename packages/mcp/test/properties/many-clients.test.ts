import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, connect, type Server, type ServerTypes, server } from '@trunkline/mcp'
import { revisions } from '@trunkline/mcp/testing'
import fc from 'fast-check'
import { z } from 'zod'
import '../no-leaks.ts'
import { numbers, turns } from './turns.ts'

const clients = 200
const callsEach = 25
// for a run of millions: TRUNKLINE_CALLS=5000000
const calls = Number(process.env.TRUNKLINE_CALLS ?? 5_000)

interface Plan {
  /** Number that the call mentions in all its messages, and no other call does. */
  readonly nonce: number
  readonly before: number
  readonly steps: number
  readonly asks: boolean
  readonly after: number
}

const number = { type: 'integer' } as const
const plan = {
  type: 'object',
  properties: { nonce: number, before: number, steps: number, asks: { type: 'boolean' }, after: number },
  required: ['nonce', 'before', 'steps', 'asks', 'after'],
} as const

/** A server that dawdles as it is told. */
function dawdler(): Server<ServerTypes> {
  return server({ name: 'dawdler', version: '1', onWarning: () => {} }).tool(
    'dawdle',
    { input: plan },
    async (plan, ctx) => {
      const { nonce, before, steps, asks, after } = plan
      await turns(before)
      for (let step = 1; step <= steps; step++) await ctx.progress(nonce + step / 10)
      await ctx.log('info', nonce)
      const { echo } = asks ? await ctx.elicit(String(nonce), z.object({ echo: z.number() })) : { echo: nonce }
      await turns(after)
      return `${nonce} ${echo}`
    },
  )
}

/** Makes all calls at once, and says what one of them heard that it should not have, or the other way round. */
async function mismatches(client: Client, plans: readonly Plan[], logged: ReadonlySet<unknown>): Promise<string[]> {
  const wrong: string[] = []
  const use = async (plan: Plan): Promise<void> => {
    const heard: number[] = []
    const { content } = await client.tools.call('dawdle', plan, { onProgress: ({ progress }) => heard.push(progress) })
    const [said] = content
    const told = said?.type === 'text' ? said.text : ''
    const steps = Array.from({ length: plan.steps }, (_, at) => plan.nonce + (at + 1) / 10)
    if (told !== `${plan.nonce} ${plan.nonce}`) wrong.push(`call ${plan.nonce} was answered "${told}"`)
    if (heard.join() !== steps.join()) wrong.push(`call ${plan.nonce} heard of progress ${heard}`)
  }
  await Promise.all(plans.map(use))
  const missing = plans.filter(({ nonce }) => !logged.has(nonce))
  if (missing.length > 0 || logged.size !== plans.length) wrong.push(`logs of ${[...logged]}`)
  return wrong
}

async function useOne(shared: Server<ServerTypes>, at: number, below: (limit: number) => number): Promise<string[]> {
  const logged = new Set<unknown>()
  const client = await connect(shared, {
    revisions: [revisions[at % revisions.length] as string],
    onLog: ({ data }) => logged.add(data),
    elicitation: ({ message }) => ({ action: 'accept', content: { echo: Number(message) } }),
  })
  const plans = Array.from({ length: callsEach }, (_, n) => ({
    nonce: at * callsEach + n,
    before: below(7),
    steps: below(4),
    asks: client.revision >= '2025-06-18' && below(8) === 0,
    after: below(7),
  }))
  const wrong = await mismatches(client, plans, logged)
  await client.close()
  assert.deepEqual(client.live, { pending: 0, serving: 0, watching: 0 })
  return wrong
}

test(`${clients} clients with the same ids make ${calls} calls, and each hears what is its own`, async () => {
  const run = async (seed: number): Promise<void> => {
    const shared = dawdler()
    const below = numbers(seed)
    const wrong = await Promise.all(Array.from({ length: clients }, (_, at) => useOne(shared, at, below)))
    assert.deepEqual(wrong.flat(), [])
    await turns(3)
    assert.deepEqual(shared.live, { connections: 0, watchers: 0 })
  }
  await fc.assert(fc.asyncProperty(fc.integer(), run), { numRuns: Math.ceil(calls / (clients * callsEach)) })
})
