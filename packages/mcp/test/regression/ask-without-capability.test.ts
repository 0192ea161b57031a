import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Context, text } from '@trunkline/mcp'
import { everyRevision } from '@trunkline/mcp/testing'
import { z } from 'zod'
import { fresh } from './fresh.ts'

const questions: { readonly [what: string]: (ctx: Context) => Promise<unknown> } = {
  elicitation: (ctx) => ctx.elicit('Name?', z.object({ name: z.string() })),
  sampling: (ctx) => ctx.sample({ messages: [{ role: 'user', content: text('hi') }], maxTokens: 1 }),
  roots: (ctx) => ctx.roots(),
}

for (const [what, ask] of Object.entries(questions)) {
  test(`a tool that asks a client without ${what} fails at once and says why`, async () => {
    const asking = fresh().tool('ask', {}, async (_input, ctx) => {
      await ask(ctx)
    })
    await everyRevision(asking, async ({ client, transcript }) => {
      const outcome = await client.tools.call('ask', {}).then(
        ({ isError, content }) => ({ isError, said: JSON.stringify(content) }),
        ({ message }) => ({ isError: true, said: message }),
      )
      assert.equal(outcome.isError, true)
      assert.match(outcome.said, new RegExp(what))
      assert.equal(
        transcript.lines.some(({ from, message }) => from === 'server' && 'id' in message && 'method' in message),
        false,
      )
      assert.equal(client.live.pending, 0)
    })
  })
}
