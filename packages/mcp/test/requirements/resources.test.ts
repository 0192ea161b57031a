import assert from 'node:assert/strict'
import { InternalError, InvalidParams, ResourceNotFound } from '../../src/index.ts'
import type { Fields } from '../../src/wire/messages.ts'
import { icon } from '../fixtures/icon.ts'
import type { Setting } from './harness/setting.ts'
import { verifies } from './verifies.ts'

/** A resource and a template that have all that they may have, as they are listed. */
async function described(raw: Setting['raw']) {
  const end = await raw('library')
  const { resources } = await end.result('resources/list')
  const { resourceTemplates } = await end.result('resources/templates/list')
  const resource = (resources as readonly Fields[]).find(({ uri }) => uri === 'test:described')
  const [template] = resourceTemplates as readonly Fields[]
  assert.ok(resource && template, 'they are not listed')
  return { resource, template }
}

verifies('resources/list: what a resource is', async ({ open }) => {
  const client = await open('library')
  const listed = (await client.resources.list().all()).map(({ uri, name }) => [uri, name])
  assert.deepEqual(listed[0], ['test:text', 'text'])
  assert.deepEqual(listed[1], ['test:bytes', 'test:bytes'])
  assert.deepEqual(listed.at(-1), ['test:books/emma', 'emma'])
})

verifies('resources/templates/list: what a template is', async ({ open }) => {
  const client = await open('library')
  const [template, ...others] = await client.resources.templates().all()
  assert.equal(template?.uriTemplate, 'test:books/{title}')
  assert.equal(template?.name, 'books')
  assert.equal(template?.mimeType, 'text/plain')
  assert.deepEqual(others, [])
})

verifies('resources/list: plain', async ({ raw }) => {
  const { resource, template } = await described(raw)
  assert.deepEqual(Object.keys(resource).sort(), ['annotations', 'description', 'name', 'uri'])
  assert.deepEqual(Object.keys(template).sort(), ['description', 'mimeType', 'name', 'uriTemplate'])
})

verifies('resources/list: titles and _meta', async ({ raw }) => {
  for (const { title, _meta } of Object.values(await described(raw))) {
    assert.equal(title, 'Described')
    assert.deepEqual(_meta, { 'example.com/note': 'noted' })
  }
})

verifies('resources/list: no icons', async ({ raw }) => {
  for (const item of Object.values(await described(raw))) assert.ok(!('icons' in item))
})

verifies('resources/list: icons', async ({ raw }) => {
  for (const { icons } of Object.values(await described(raw))) assert.deepEqual(icons, [icon])
})

verifies('resources/list: annotations and size', async ({ open }) => {
  const client = await open('library')
  const resources = await client.resources.list().all()
  const annotated = resources.find(({ uri }) => uri === 'test:described')?.annotations
  assert.equal(resources[0]?.size, 5)
  assert.deepEqual([annotated?.audience, annotated?.priority], [['user'], 1])
})

verifies('resources/read: text', async ({ raw }) => {
  const end = await raw('library')
  const { contents } = await end.result('resources/read', { uri: 'test:text' })
  assert.deepEqual(contents, [{ uri: 'test:text', mimeType: 'text/plain', text: 'plain' }])
})

verifies('resources/read: bytes', async ({ raw }) => {
  const end = await raw('library')
  const { contents } = await end.result('resources/read', { uri: 'test:bytes' })
  assert.deepEqual(contents, [{ uri: 'test:bytes', mimeType: 'image/png', blob: 'AQID' }])
})

verifies('resources/read: several', async ({ open }) => {
  const client = await open('library')
  const { contents } = await client.resources.read('test:several')
  assert.deepEqual(
    contents.map((item) => [item.uri, 'text' in item ? item.text : item.blob]),
    [
      ['test:several/1', 'one'],
      ['test:several/2', 'AQID'],
    ],
  )
})

verifies('resources/read: by template', async ({ open }) => {
  const client = await open('library')
  const { contents } = await client.resources.read('test:books/War%20and%20Peace')
  const text = 'The book War and Peace'
  assert.deepEqual(contents, [{ uri: 'test:books/War%20and%20Peace', mimeType: 'text/plain', text }])
})

verifies('resources/read: exact before template', async ({ open }) => {
  const client = await open('library')
  const { contents } = await client.resources.read('test:books/moby')
  assert.deepEqual(contents, [{ uri: 'test:books/moby', text: 'Call me Ishmael' }])
})

verifies('resources/read: not found', async ({ raw }) => {
  const end = await raw('library')
  const { code, data } = await end.refusal('resources/read', { uri: 'test:nowhere' })
  assert.equal(code, ResourceNotFound)
  assert.deepEqual(data, { uri: 'test:nowhere' })
})

verifies('resources/read: not found, newly', async ({ raw }) => {
  const end = await raw('library')
  const { code, data } = await end.refusal('resources/read', { uri: 'test:nowhere' })
  assert.equal(code, InvalidParams)
  assert.deepEqual(data, { uri: 'test:nowhere' })
})

verifies('resources/read: old refusals are understood', async ({ play }) => {
  const error = { code: ResourceNotFound, message: 'Not here', data: { uri: 'test:nowhere' } }
  const client = await play({ 'resources/read': [[{ error }]] })
  await assert.rejects(client.resources.read('test:nowhere'), { name: 'RpcError', ...error })
})

verifies('resources/read: failure', async ({ open }) => {
  const client = await open('library')
  await assert.rejects(client.resources.read('test:burnt'), { code: InternalError, message: 'There was a fire' })
})

verifies('resources/read: a bug', async ({ raw }) => {
  const end = await raw('library')
  const refusal = await end.refusal('resources/read', { uri: 'test:broken' })
  assert.equal(refusal.code, InternalError)
  assert.doesNotMatch(JSON.stringify(refusal), /password|TypeError|\.ts/)
})

verifies('resources/read: _meta of contents', async ({ raw }) => {
  const end = await raw('library')
  const { contents } = await end.result('resources/read', { uri: 'test:several' })
  assert.deepEqual((contents as readonly Fields[])[0]?._meta, { 'example.com/note': 'noted' })
})

verifies('resources/read: no _meta of contents', async ({ raw }) => {
  const end = await raw('library')
  const { contents } = await end.result('resources/read', { uri: 'test:several' })
  assert.deepEqual((contents as readonly Fields[])[0], { uri: 'test:several/1', text: 'one' })
})
