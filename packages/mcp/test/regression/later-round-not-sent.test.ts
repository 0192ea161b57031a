import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, connect, type ElicitationResult } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { join, revisions } from '@trunkline/mcp/testing'
import { z } from 'zod'
import { fresh } from './fresh.ts'

const withForms = revisions.filter((revision) => revision >= '2025-06-18')

const seven: ElicitationResult = { action: 'accept', content: { seat: 7 } }

/** A tool that has an effect, and then asks. */
function travel() {
  const booked: string[] = []
  const definition = fresh().tool('book', {}, async (_input, ctx) => {
    await ctx.once('ticket', () => booked.push('ticket'))
    await ctx.elicit('Which seat?', z.object({ seat: z.number() }))
    return 'booked'
  })
  return { booked, definition }
}

for (const revision of withForms) {
  test(`a call that was begun is never called unsent, although its connection is closed by then, ${revision}`, async () => {
    const { booked, definition } = travel()
    let client: Client
    const elicitation = async (): Promise<ElicitationResult> => {
      await client.close()
      return seven
    }
    client = (await join(definition, { revisions: [revision], elicitation })).client as Client
    await assert.rejects(client.tools.call('book', {}), { code: 'Closed', outcome: 'Unknown' })
    assert.deepEqual(booked, ['ticket'])
  })
}

test('a call that was begun is never called unsent, although the answer to its question could not be sent', async () => {
  const { booked, definition } = travel()
  const listening = await serveHttp(definition)
  const elicitation = async (): Promise<ElicitationResult> => {
    await listening.close()
    // whatever was left of a connection is used up, so that the next request certainly does not arrive
    await assert.rejects(client.ping())
    await assert.rejects(client.ping(), { outcome: 'NotSent' })
    return seven
  }
  await using client = await connect(new URL(listening.url), { revisions: ['2026-07-28'], elicitation })
  await assert.rejects(client.tools.call('book', {}), { code: 'Closed', outcome: 'Unknown' })
  assert.deepEqual(booked, ['ticket'])
})
