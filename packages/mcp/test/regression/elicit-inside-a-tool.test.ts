import assert from 'node:assert/strict'
import { test } from 'node:test'
import { text } from '@trunkline/mcp'
import { join, revisions, script } from '@trunkline/mcp/testing'
import { z } from 'zod'
import { fresh } from './fresh.ts'

const withForms = revisions.filter((revision) => revision >= '2025-06-18')

for (const revision of withForms) {
  test(`a tool asks in the middle of its work, again and again, ${revision}`, async () => {
    let booked = 0
    const travel = fresh().tool('book', {}, async (_input, ctx) => {
      const { city } = await ctx.elicit('Where to?', z.object({ city: z.string() }))
      const ticket = await ctx.once('ticket', () => `ticket ${++booked} to ${city}`)
      const { seat } = await ctx.elicit(`Which seat to ${city}?`, z.object({ seat: z.number().int() }))
      const { content } = await ctx.sample({ messages: [{ role: 'user', content: text(city) }], maxTokens: 9 })
      const [root] = await ctx.roots()
      return `${ticket}, seat ${seat}, ${JSON.stringify(content)}, ${root?.uri}`
    })
    const played = script({
      elicitations: [{ city: 'Oslo' }, { seat: 7 }],
      samples: ['bon voyage'],
      roots: [{ uri: 'file:///home' }],
    })
    await using both = await join(travel, { ...played.options, revisions: [revision] })
    const { content, isError } = await both.client.tools.call('book', {})
    assert.ok(!isError)
    assert.deepEqual(content, [text('ticket 1 to Oslo, seat 7, {"type":"text","text":"bon voyage"}, file:///home')])
    played.assertDone()
  })

  test(`a user who declines is an error the tool can catch, ${revision}`, async () => {
    const shy = fresh().tool('ask', {}, async (_input, ctx) => {
      const { name } = await ctx
        .elicit('Who are you?', z.object({ name: z.string() }))
        .catch(({ code }) => ({ name: code }))
      return name
    })
    const played = script({ elicitations: [{ action: 'decline' }] })
    await using both = await join(shy, { ...played.options, revisions: [revision] })
    assert.deepEqual((await both.client.tools.call('ask', {})).content, [text('Declined')])
  })
}
