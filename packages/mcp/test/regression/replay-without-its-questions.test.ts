import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, InternalError } from '@trunkline/mcp'
import { fresh } from './fresh.ts'

const word = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] } as const
const elicitation = () => ({ action: 'accept', content: { word: 'yes' } }) as const

const strayed = {
  code: InternalError,
  message: 'Cannot run the call again: its handler asked other questions than in the last run',
}

/** A server whose handlers change their mind when they are run again. */
function fickle() {
  let runs = 0
  return fresh()
    .tool('finishes at once', {}, (_, ctx) => {
      if (runs++ > 0) return 'done'
      return ctx.elicit('Sure?', word, { key: 'sure' }).then(() => 'asked')
    })
    .tool('finishes later', {}, async (_, ctx) => {
      if (runs++ === 0) await ctx.elicit('Sure?', word, { key: 'sure' })
      return 'done'
    })
    .tool('asks something else', {}, async (_, ctx) => {
      await ctx.elicit('Sure?', word, { key: runs++ === 0 ? 'sure' : 'certain' })
      return 'done'
    })
    .tool('forgets the first of two', {}, async (_, ctx) => {
      if (runs++ < 2) await ctx.elicit('Sure?', word, { key: 'sure' })
      await ctx.elicit('Really?', word, { key: 'really' })
      return 'done'
    })
    .tool('keeps its mind', {}, async (_, ctx) => {
      await ctx.elicit('Sure?', word, { key: 'sure' })
      await ctx.elicit('Really?', word, { key: 'really' })
      return 'done'
    })
}

for (const name of ['finishes at once', 'finishes later', 'asks something else', 'forgets the first of two']) {
  test(`a call is not finished by a handler that, run again, ${name}`, async () => {
    await using client = await connect(fickle(), { elicitation, revisions: ['2026-07-28'] })
    await assert.rejects(client.request('tools/call', { name, arguments: {} }), strayed)
  })
}

test('a call is finished by a handler that asks the same when it is run again', async () => {
  await using client = await connect(fickle(), { elicitation, revisions: ['2026-07-28'] })
  const { content } = await client.tools.call('keeps its mind', {})
  assert.deepEqual(content, [{ type: 'text', text: 'done' }])
})
