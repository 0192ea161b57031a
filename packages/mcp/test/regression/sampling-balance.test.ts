import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SamplingMessage, text } from '@trunkline/mcp'
import { join, revisions } from '@trunkline/mcp/testing'
import { fresh } from './fresh.ts'

const use = { type: 'tool_use', id: 'u1', name: 'add', input: {} } as const
const result = { type: 'tool_result', toolUseId: 'u1', content: [text('5')] } as const

const unbalanced: { readonly [what: string]: readonly SamplingMessage[] } = {
  'a tool use without a result': [{ role: 'assistant', content: [use] }],
  'a tool use that is followed by something else': [
    { role: 'assistant', content: [use] },
    { role: 'user', content: text('never mind') },
  ],
  'a result without a tool use': [{ role: 'user', content: [result] }],
  'a result to another use': [
    { role: 'assistant', content: [use] },
    { role: 'user', content: [{ ...result, toolUseId: 'u2' }] },
  ],
  'a result among other content': [
    { role: 'assistant', content: [use] },
    { role: 'user', content: [result, text('by the way')] },
  ],
}

const balanced: readonly SamplingMessage[] = [
  { role: 'user', content: text('2 + 3?') },
  { role: 'assistant', content: [text('let me see'), use] },
  { role: 'user', content: [result] },
]

const withTools = revisions.filter((revision) => revision >= '2025-11-25')

for (const revision of withTools) {
  for (const [what, messages] of Object.entries({ ...unbalanced, 'a use and its result': balanced })) {
    const isFine = messages === balanced
    test(`${what} ${isFine ? 'reaches' : 'never reaches'} the model, ${revision}`, async () => {
      let asked = 0
      const asking = fresh().tool('think', {}, async (_input, ctx) => {
        await ctx.sample({ messages, maxTokens: 1, tools: [{ name: 'add', inputSchema: { type: 'object' } }] })
        return 'thought'
      })
      const sample = () => {
        asked += 1
        return { role: 'assistant', model: 'test', content: text('5') } as const
      }
      await using both = await join(asking, { revisions: [revision], sampling: { sample, tools: true } })
      const { isError } = await both.client.tools.call('think', {}).catch(() => ({ isError: true }))
      assert.deepEqual([isError === true, asked], isFine ? [false, 1] : [true, 0])
    })
  }
}
