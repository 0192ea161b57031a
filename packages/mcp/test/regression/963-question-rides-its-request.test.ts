import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Channel, text } from '@trunkline/mcp'
import { open } from '@trunkline/mcp/client'
import { memoryPair, revisions } from '@trunkline/mcp/testing'
import { z } from 'zod'
import { fresh } from './fresh.ts'

/** A channel that writes down which request each message belongs to. */
function noting(channel: Channel, notes: { what: unknown; relatedTo: unknown }[]): Channel {
  return {
    open: (receiver) => channel.open(receiver),
    close: () => channel.close(),
    send(message, options) {
      const { method, id } = message as { method?: string; id?: unknown }
      notes.push({ what: method ?? `answer ${id}`, relatedTo: options?.relatedTo })
      return channel.send(message, options)
    },
  }
}

for (const revision of revisions.filter((one) => one >= '2025-06-18' && one < '2026-07-28')) {
  test(`what a tool asks and tells belongs to the call it serves, ${revision}`, async () => {
    const [near, far] = memoryPair()
    const notes: { what: unknown; relatedTo: unknown }[] = []
    const asking = fresh().tool('ask', {}, async (_input, ctx) => {
      await ctx.progress(1)
      await ctx.log('warning', 'careful')
      await ctx.elicit('Name?', z.object({ name: z.string() }))
      await ctx.sample({ messages: [{ role: 'user', content: text('hi') }], maxTokens: 1 })
      await ctx.roots()
      return 'asked'
    })
    asking.serve(noting(far, notes))
    await using client = await open(() => near, {
      revisions: [revision],
      elicitation: () => ({ action: 'accept', content: { name: 'Ada' } }),
      sampling: () => ({ role: 'assistant', model: 'test', content: text('hello') }),
      roots: [],
    })
    notes.length = 0
    await client.tools.call('ask', {})
    const id = notes[0]?.relatedTo
    assert.notEqual(id, undefined)
    const related = [
      'notifications/progress',
      'notifications/message',
      'elicitation/create',
      'sampling/createMessage',
      'roots/list',
    ]
    // an answer names its request by its own id
    const answer = { what: `answer ${id}`, relatedTo: undefined }
    assert.deepEqual(notes, [...related.map((what) => ({ what, relatedTo: id })), answer])
  })
}
