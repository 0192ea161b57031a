import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'

const form = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const
const elicitation = () => ({ action: 'accept', content: { name: 'Ada' } }) as const

test('without sessions a client that declared elicitation is told why it cannot be asked, and so is the author', async () => {
  const errors: string[] = []
  const near = server({
    name: 'near',
    version: '1',
    onWarning: () => {},
    onError: (error) => errors.push((error as Error).message),
  }).tool('greet', {}, async (_, ctx) => `Hello, ${(await ctx.elicit('Your name?', form)).name}`)
  await using http = await serveHttp(near, { sessions: false })
  await using old = await connect(http.url as 'http', { elicitation, revisions: ['2025-11-25'] })
  const { isError, content } = await old.tools.call('greet', {})
  assert.equal(isError, true)
  const { text } = content[0] as { text: string }
  assert.match(text, /^Cannot ask the client: the server has no sessions, so the client cannot answer; serve with/)
  assert.deepEqual(errors, [text])
  await using current = await connect(http.url as 'http', { elicitation })
  assert.deepEqual((await current.tools.call('greet', {})).content, [{ type: 'text', text: 'Hello, Ada' }])
})
