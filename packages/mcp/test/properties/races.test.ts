import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, open, type Server, type ServerConnection, server } from '@trunkline/mcp'
import { memoryPair, revisions } from '@trunkline/mcp/testing'
import fc from 'fast-check'
import { z } from 'zod'
import { tracked } from '../no-leaks.ts'
import { turns } from './turns.ts'

const race = { revision: fc.constantFrom(...revisions), work: fc.nat(12), stop: fc.nat(12) }
const asking = { ...race, revision: fc.constantFrom('2026-07-28', '2025-11-25', '2025-06-18'), answer: fc.nat(12) }
const runs = { numRuns: 150 }

class Enough extends Error {}

/** A client and a server that are joined in memory, and what each remembers. */
async function joined(shared: Server, revision: string, elicit?: () => Promise<void>) {
  const [near, far] = memoryPair()
  const talk = tracked(shared.serve(far))
  const elicitation = async () => {
    await elicit?.()
    return { action: 'accept', content: { yes: true } } as const
  }
  const client = tracked(await open(() => near, { revisions: [revision], elicitation, onWarning: () => {} }))
  return { client, talk }
}

const fresh = (): Server => tracked(server({ name: 'racer', version: '1', onWarning: () => {}, onError: () => {} }))

async function assertNothingLeft(client: Client, talk: ServerConnection): Promise<void> {
  await turns(30)
  assert.equal(client.live.pending, 0)
  assert.equal(client.live.serving, 0)
  assert.deepEqual([talk.live.pending, talk.live.serving], [0, 0])
}

test('a call that is aborted while it is answered comes to one of both, and both sides forget it', async () => {
  const play = async ({ revision, work, stop }: { revision: string; work: number; stop: number }): Promise<void> => {
    const worker = fresh().tool('work', {}, async ({ nonce }) => {
      await turns(work)
      return String(nonce)
    })
    const { client, talk } = await joined(worker as Server, revision)
    const calls = Array.from({ length: 5 }, async (_, nonce) => {
      const stopper = new AbortController()
      const reason = new Enough(String(nonce))
      const call = client.tools.call('work', { nonce }, { signal: stopper.signal })
      const outcome = call.then(
        ({ content }) => assert.deepEqual(content, [{ type: 'text', text: String(nonce) }]),
        (error) => assert.equal(error, reason),
      )
      await turns(stop + nonce)
      stopper.abort(reason)
      return outcome
    })
    await Promise.all(calls)
    await assertNothingLeft(client, talk)
    await client.close()
  }
  await fc.assert(fc.asyncProperty(fc.record(race), play), runs)
})

test('a call that is aborted while its question is answered leaves nothing on either side', async () => {
  interface Plan {
    readonly revision: string
    readonly work: number
    readonly stop: number
    readonly answer: number
  }
  const play = async ({ revision, work, stop, answer }: Plan): Promise<void> => {
    const asker = fresh().tool('ask', {}, async (_input, ctx) => {
      await turns(work)
      const { yes } = await ctx.elicit('Yes?', z.object({ yes: z.boolean() }))
      return String(yes)
    })
    const { client, talk } = await joined(asker as Server, revision, () => turns(answer))
    const stopper = new AbortController()
    const reason = new Enough('enough')
    const outcome = client.tools.call('ask', {}, { signal: stopper.signal }).then(
      ({ content }) => assert.deepEqual(content, [{ type: 'text', text: 'true' }]),
      (error) => assert.equal(error, reason),
    )
    await turns(stop)
    stopper.abort(reason)
    await outcome
    await assertNothingLeft(client, talk)
    await client.close()
  }
  await fc.assert(fc.asyncProperty(fc.record(asking), play), runs)
})

test('a connection that is closed while both sides ask settles everything', async () => {
  const sides = { ...asking, closer: fc.constantFrom('client', 'server') }
  const play = async (plan: { revision: string; work: number; stop: number; answer: number; closer: string }) => {
    const asker = fresh().tool('ask', {}, async (_input, ctx) => {
      await turns(plan.work)
      await ctx.progress(1)
      await ctx.elicit('Yes?', z.object({ yes: z.boolean() }))
      return 'asked'
    })
    const { client, talk } = await joined(asker as Server, plan.revision, () => turns(plan.answer))
    const settled = Promise.allSettled(Array.from({ length: 5 }, () => client.tools.call('ask', {})))
    await turns(plan.stop)
    await (plan.closer === 'client' ? client.close() : asker.close())
    for (const call of await settled) {
      if (call.status === 'rejected') assert.equal(call.reason.code, 'Closed')
    }
    await talk.peer.whenClosed
    await assertNothingLeft(client, talk)
    assert.deepEqual(asker.live, { connections: 0, watchers: 0 })
  }
  await fc.assert(fc.asyncProperty(fc.record(sides), play), runs)
})
