import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { z } from 'zod'

const asking = () =>
  server({ name: 'asking', version: '1.0.0', keys: ['k'.repeat(32)] }).tool('ask', {}, async (_, ctx) => {
    const { name } = await ctx.elicit('Who are you?', z.object({ name: z.string() }))
    return name
  })

/** A client whose user never answers, and what the question is told about its call. */
async function patient() {
  let heard = (_: AbortSignal): void => {}
  const asked = new Promise<AbortSignal>((resolve) => {
    heard = resolve
  })
  const client = await connect(asking(), {
    revisions: ['2026-07-28'],
    relay: {
      capabilities: { elicitation: { form: {} } },
      answer: (_method, _params, during) => {
        if (during?.signal) heard(during.signal)
        return new Promise(() => {})
      },
    },
  })
  return { client, asked }
}

test('withInputRounds: a call that waits for its user ends with the connection, and withdraws the question', async () => {
  const { client, asked } = await patient()
  const ended = assert.rejects(client.tools.call('ask', {}), { code: 'Closed', outcome: 'Unknown' })
  const signal = await asked
  await client.close()
  await ended
  assert.equal(signal.aborted, true)
})

test('withInputRounds: a call that is cancelled withdraws the question with the reason', async () => {
  const { client, asked } = await patient()
  const cancel = new AbortController()
  const ended = assert.rejects(client.tools.call('ask', {}, { signal: cancel.signal }), /enough/)
  const signal = await asked
  cancel.abort(new Error('enough'))
  await ended
  assert.equal((signal.reason as Error).message, 'enough')
  await client.close()
})
