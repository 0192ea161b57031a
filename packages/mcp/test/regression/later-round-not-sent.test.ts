import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client, ElicitationResult } from '@trunkline/mcp'
import { join, revisions } from '@trunkline/mcp/testing'
import { z } from 'zod'
import { fresh } from './fresh.ts'

const withForms = revisions.filter((revision) => revision >= '2025-06-18')

for (const revision of withForms) {
  test(`a call that was begun is never called unsent, although the answer to its question was not, ${revision}`, async () => {
    let booked = 0
    const travel = fresh().tool('book', {}, async (_input, ctx) => {
      await ctx.once('ticket', () => ++booked)
      await ctx.elicit('Which seat?', z.object({ seat: z.number() }))
      return 'booked'
    })
    let client: Client
    const elicitation = async (): Promise<ElicitationResult> => {
      await client.close()
      return { action: 'accept', content: { seat: 7 } }
    }
    client = (await join(travel, { revisions: [revision], elicitation })).client as Client
    await assert.rejects(client.tools.call('book', {}), { code: 'Closed', outcome: 'Unknown' })
    assert.equal(booked, 1)
  })
}
