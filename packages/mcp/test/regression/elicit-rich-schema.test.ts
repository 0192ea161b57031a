import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ElicitationResult } from '@trunkline/mcp'
import { join, revisions } from '@trunkline/mcp/testing'
import { z } from 'zod'
import { fresh } from './fresh.ts'

const order = z.object({
  cups: z.number().int().positive(),
  code: z.string().regex(/^[A-Z]{3}$/),
  size: z.enum(['small', 'large']).default('small'),
})
const simple = new Set([
  'type',
  'title',
  'description',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'format',
  'enum',
])
const withForms = revisions.filter((revision) => revision >= '2025-06-18')

for (const revision of withForms) {
  test(`a schema that says more than a form can is asked as a form and checked in full, ${revision}`, async () => {
    const shop = fresh().tool('order', {}, async (_input, ctx) => {
      const { cups, code, size } = await ctx.elicit('What?', order)
      return `${cups} ${size} ${code}`
    })
    const answers: ElicitationResult[] = [
      { action: 'accept', content: { cups: 2, code: 'ABC', size: 'large' } },
      { action: 'accept', content: { cups: 2, code: 'abc', size: 'large' } },
    ]
    const asked: { [name: string]: object }[] = []
    const elicitation = ({ requestedSchema }: { requestedSchema: { readonly [key: string]: unknown } }) => {
      asked.push(requestedSchema.properties as { [name: string]: object })
      return answers.shift() as ElicitationResult
    }
    await using both = await join(shop, { revisions: [revision], elicitation })
    assert.deepEqual((await both.client.tools.call('order', {})).content, [{ type: 'text', text: '2 large ABC' }])
    const refused = await both.client.tools.call('order', {})
    assert.equal(refused.isError, true)
    assert.match(JSON.stringify(refused.content), /code/)
    for (const [name, field] of Object.entries(asked[0] ?? {})) {
      const odd = Object.keys(field).filter((keyword) => !simple.has(keyword) && keyword !== 'default')
      assert.deepEqual(odd, [], `${name} asks with ${odd}`)
    }
  })
}
