import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from '@trunkline/mcp'
import { revisions } from '@trunkline/mcp/testing'
import { fresh } from './fresh.ts'

const word = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] } as const
const questions = 8

/** A tool that asks one question after the other. */
const curious = () =>
  fresh().tool('ask', {}, async (_, ctx) => {
    for (let question = 0; question < questions; question++) await ctx.elicit('Which?', word, { key: `${question}` })
    return 'done'
  })

for (const revision of revisions.filter((one) => one >= '2025-06-18')) {
  test(`maxTotalMs bounds all rounds of a call together, in ${revision}`, async () => {
    let asked = 0
    const elicitation = async () => {
      asked += 1
      await wait(400)
      return { action: 'accept', content: { word: 'any' } } as const
    }
    await using client = await connect(curious(), { revisions: [revision], elicitation })
    const call = client.tools.call('ask', {}, { timeoutMs: 1_500, maxTotalMs: 1_500 })
    await assert.rejects(call, { code: 'Timeout', outcome: 'Unknown' })
    assert.ok(asked > 0 && asked <= 4, `${asked} of ${questions} questions were asked`)
  })
}
