import assert from 'node:assert/strict'
import type { Fields } from '../../src/wire/messages.ts'
import type { Setting } from './harness/setting.ts'
import { verifies } from './verifies.ts'

/** One piece of each kind of content, as it travels. */
async function contents(raw: Setting['raw']) {
  const end = await raw('tools')
  const { content } = await end.result('tools/call', { name: 'contents' })
  const [text = {}, image = {}, audio = {}, link = {}, embedded = {}] = content as readonly Fields[]
  return { text, image, audio, link, embedded }
}

verifies('content: text, image, embedded resource', async ({ raw }) => {
  const { text, image, embedded } = await contents(raw)
  assert.equal(text.text, 'said')
  assert.deepEqual(image, { type: 'image', data: 'aW1hZ2U=', mimeType: 'image/png' })
  const resource = { uri: 'test:embedded', mimeType: 'text/plain', text: 'inside' }
  assert.deepEqual(embedded, { type: 'resource', resource })
})

verifies('content: audio', async ({ raw }) => {
  const { audio } = await contents(raw)
  assert.deepEqual(audio, { type: 'audio', data: 'c291bmQ=', mimeType: 'audio/wav' })
})

verifies('content: audio as a resource', async ({ raw }) => {
  const { audio } = await contents(raw)
  const resource = { uri: 'attachment:audio', mimeType: 'audio/wav', blob: 'c291bmQ=' }
  assert.deepEqual(audio, { type: 'resource', resource })
})

verifies('content: resource links', async ({ raw }) => {
  const { link } = await contents(raw)
  const described = { name: 'linked', title: 'A link', description: 'To somewhere' }
  assert.deepEqual(link, { type: 'resource_link', uri: 'test:linked', ...described })
})

verifies('content: resource links as text', async ({ raw }) => {
  const { link } = await contents(raw)
  assert.deepEqual(link, { type: 'text', text: 'A link: test:linked\nTo somewhere' })
})

verifies('content: annotations', async ({ raw }) => {
  const { annotations } = (await contents(raw)).text
  const { audience, priority } = annotations as Fields
  assert.deepEqual({ audience, priority }, { audience: ['user'], priority: 0.5 })
})

verifies('content: lastModified', async ({ raw }) => {
  const { annotations } = (await contents(raw)).text
  assert.equal((annotations as Fields).lastModified, '2025-01-01T00:00:00Z')
})

verifies('content: no lastModified', async ({ raw }) => {
  const { annotations } = (await contents(raw)).text
  assert.ok(!('lastModified' in (annotations as Fields)))
})
