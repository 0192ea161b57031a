import assert from 'node:assert/strict'
import { InternalError, InvalidParams } from '../../src/index.ts'
import type { Fields } from '../../src/wire/messages.ts'
import { icon } from '../fixtures/icon.ts'
import type { Setting } from './harness/setting.ts'
import { verifies } from './verifies.ts'

/** A prompt that has all that a prompt may have, as it is listed. */
async function described(raw: Setting['raw']): Promise<Fields> {
  const end = await raw('library')
  const { prompts } = await end.result('prompts/list')
  const prompt = (prompts as readonly Fields[]).find(({ name }) => name === 'review')
  assert.ok(prompt, 'the prompt is not listed')
  return prompt
}

verifies('prompts/list: what a prompt is', async ({ open }) => {
  const client = await open('library')
  const [hello, review] = await client.prompts.list().all()
  assert.deepEqual([hello?.name, hello?.description, hello?.arguments], ['hello', 'Says hello', undefined])
  assert.deepEqual(
    review?.arguments?.map(({ name, required }) => [name, required]),
    [
      ['title', true],
      ['genre', false],
    ],
  )
})

verifies('prompts/list: plain', async ({ raw }) => {
  assert.deepEqual(await described(raw), {
    name: 'review',
    description: 'Has all that it may have',
    arguments: [
      { name: 'title', description: 'Of the book', required: true },
      { name: 'genre', required: false },
    ],
  })
})

verifies('prompts/list: titles and _meta', async ({ raw }) => {
  const { title, _meta, arguments: taken } = await described(raw)
  assert.equal(title, 'Described')
  assert.deepEqual(_meta, { 'example.com/note': 'noted' })
  assert.equal((taken as readonly Fields[])[0]?.title, 'The title')
})

verifies('prompts/list: icons', async ({ raw }) => {
  assert.deepEqual((await described(raw)).icons, [icon])
})

verifies('prompts/get: messages', async ({ raw }) => {
  const end = await raw('library')
  const result = await end.result('prompts/get', { name: 'review', arguments: { title: 'Emma', genre: 'novel' } })
  assert.equal(result.description, 'Has all that it may have')
  assert.deepEqual(result.messages, [
    { role: 'user', content: { type: 'text', text: 'Review the novel Emma' } },
    { role: 'assistant', content: { type: 'text', text: 'With pleasure' } },
  ])
})

verifies('prompts/get: unknown prompt', async ({ open }) => {
  const client = await open('library')
  await assert.rejects(client.prompts.get('sing', {}), { name: 'RpcError', code: InvalidParams, message: /"sing"/ })
})

verifies('prompts/get: missing argument', async ({ open }) => {
  const client = await open('library')
  await assert.rejects(client.prompts.get('review', { genre: 'novel' }), { code: InvalidParams, message: /"title"/ })
})

verifies('prompts/get: arguments are text', async ({ raw }) => {
  const end = await raw('library')
  for (const title of [7, true, null, ['Emma'], {}]) {
    const refusal = await end.refusal('prompts/get', { name: 'review', arguments: { title } })
    assert.equal(refusal.code, InvalidParams, JSON.stringify(title))
  }
})

verifies('prompts/get: a bug', async ({ raw }) => {
  const end = await raw('library')
  const refusal = await end.refusal('prompts/get', { name: 'broken' })
  assert.equal(refusal.code, InternalError)
  assert.doesNotMatch(JSON.stringify(refusal), /password|TypeError|\.ts/)
})

/** Contents of a prompt, as they travel. */
async function gallery(raw: Setting['raw']): Promise<readonly unknown[]> {
  const end = await raw('library')
  const { messages } = await end.result('prompts/get', { name: 'gallery' })
  return (messages as readonly Fields[]).map(({ content }) => content)
}

verifies('prompts/get: images', async ({ raw }) => {
  const [image] = await gallery(raw)
  assert.deepEqual(image, { type: 'image', data: 'aW1hZ2U=', mimeType: 'image/png' })
})

verifies('prompts/get: audio', async ({ raw }) => {
  const [, audio] = await gallery(raw)
  assert.deepEqual(audio, { type: 'audio', data: 'c291bmQ=', mimeType: 'audio/wav' })
})

verifies('prompts/get: links', async ({ raw }) => {
  const [, , link] = await gallery(raw)
  assert.deepEqual(link, { type: 'resource_link', uri: 'test:text', name: 'text' })
})

verifies('completion: of a prompt', async ({ open }) => {
  const client = await open('library')
  const completion = await client.complete({ prompt: 'review', argument: 'genre' }, 'p')
  assert.deepEqual(completion, { values: ['poem', 'play'], total: 2, hasMore: false })
})

verifies('completion: of a template', async ({ open }) => {
  const client = await open('library')
  const { values } = await client.complete({ template: 'test:books/{title}', argument: 'title' }, 'title 24')
  assert.deepEqual(values.slice(0, 2), ['title 24', 'title 240'])
})

verifies('completion: at most 100', async ({ open }) => {
  const client = await open('library')
  const completion = await client.complete({ template: 'test:books/{title}', argument: 'title' }, '')
  assert.equal(completion.values.length, 100)
  assert.deepEqual([completion.total, completion.hasMore], [250, true])
})

verifies('completion: knows the other arguments', async ({ open }) => {
  const client = await open('library')
  const { values } = await client.complete({ prompt: 'review', argument: 'title' }, 'Emma', { genre: 'novel' })
  assert.deepEqual(values, ['Emma, a novel'])
})

verifies('completion: unknown target', async ({ open }) => {
  const client = await open('library')
  await assert.rejects(client.complete({ prompt: 'sing', argument: 'a' }, ''), { code: InvalidParams })
  await assert.rejects(client.complete({ template: 'test:{x}', argument: 'x' }, ''), { code: InvalidParams })
})

verifies('completion: nothing to suggest', async ({ open }) => {
  const client = await open('library')
  const { values } = await client.complete({ prompt: 'hello', argument: 'unheard of' }, '')
  assert.deepEqual(values, [])
})
