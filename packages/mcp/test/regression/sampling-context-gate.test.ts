import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ClientOptions, text } from '@trunkline/mcp'
import { join, revisions } from '@trunkline/mcp/testing'
import { fresh } from './fresh.ts'

const nosy = () =>
  fresh().tool('think', {}, async (_input, ctx) => {
    const messages = [{ role: 'user', content: text('hm?') }] as const
    const { model } = await ctx.sample({ messages, maxTokens: 1, includeContext: 'allServers' })
    return model
  })

const gated = revisions.filter((revision) => revision >= '2025-11-25')

for (const revision of gated) {
  test(`the context of other servers is asked for only where the client declared it, ${revision}`, async () => {
    const asked: unknown[] = []
    const sample: ClientOptions['sampling'] = ({ includeContext }) => {
      asked.push(includeContext)
      return { role: 'assistant', model: 'test', content: text('hm') }
    }
    await using without = await join(nosy(), { revisions: [revision], sampling: sample })
    assert.deepEqual((await without.client.tools.call('think', {})).content, [text('test')])
    await using withContext = await join(nosy(), { revisions: [revision], sampling: { sample, context: true } })
    assert.deepEqual((await withContext.client.tools.call('think', {})).content, [text('test')])
    assert.deepEqual(asked, [undefined, 'allServers'])
  })
}
