import assert from 'node:assert/strict'
import { InvalidParams } from '../../src/index.ts'
import type { Fields } from '../../src/wire/messages.ts'
import { gate } from '../gate.ts'
import { soon } from '../soon.ts'
import { meta } from './harness/dress.ts'
import type { RawEnd } from './harness/raw-end.ts'
import { verifies } from './verifies.ts'

const names = (kind: string): string[] => [1, 2, 3, 4, 5].map((at) => `${kind}${at}`)

verifies('pages: walked to the end', async ({ open }) => {
  const client = await open('pages')
  const lists = {
    tool: client.tools.list(),
    prompt: client.prompts.list(),
    resource: client.resources.list(),
    template: client.resources.templates(),
  }
  for (const [kind, list] of Object.entries(lists)) {
    const found: string[] = []
    for await (const { name } of list) found.push(name)
    assert.deepEqual(found, names(kind))
  }
})

/** Every page of a list, as it travels. */
async function pagesOf(end: RawEnd, method: string): Promise<readonly Fields[]> {
  const pages: Fields[] = []
  for (let cursor: unknown; pages.length === 0 || cursor !== undefined; cursor = pages.at(-1)?.nextCursor) {
    pages.push(await end.result(method, cursor === undefined ? {} : { cursor }))
  }
  return pages
}

verifies('pages: cut by the server', async ({ raw }) => {
  const end = await raw('pages')
  const pages = await pagesOf(end, 'tools/list')
  assert.deepEqual(
    pages.map(({ tools }) => (tools as readonly Fields[]).map(({ name }) => name)),
    [['tool1', 'tool2'], ['tool3', 'tool4'], ['tool5']],
  )
})

verifies('pages: unknown cursor', async ({ raw }) => {
  const end = await raw('pages')
  const { nextCursor } = await end.result('tools/list')
  for (const cursor of ['', 'made up', `${nextCursor}x`, `x${nextCursor}`, String(nextCursor).toLowerCase()]) {
    assert.equal((await end.refusal('tools/list', { cursor })).code, InvalidParams, cursor)
  }
})

verifies('pages: cursor of another list', async ({ raw }) => {
  const end = await raw('pages')
  const { nextCursor } = await end.result('tools/list')
  for (const method of ['prompts/list', 'resources/list', 'resources/templates/list']) {
    assert.equal((await end.refusal(method, { cursor: nextCursor })).code, InvalidParams, method)
  }
})

const page = (name: string, more: Fields = {}) => [
  { result: { tools: [{ name, inputSchema: { type: 'object' } }], ...more } },
]

verifies('pages: any text is a cursor', async ({ play, sent }) => {
  const scene = [page('a', { nextCursor: '' }), page('b', { nextCursor: ' é\n"' }), page('c')]
  const client = await play({ 'tools/list': scene })
  const tools = await client.tools.list().all()
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['a', 'b', 'c'],
  )
  assert.deepEqual(
    sent('tools/list').map(({ params }) => params?.cursor),
    [undefined, '', ' é\n"'],
  )
})

verifies('pages: endless list', async ({ play }) => {
  const round = await play({ 'tools/list': [page('a', { nextCursor: '1' }), page('b', { nextCursor: '1' })] })
  await assert.rejects(round.tools.list().all(), { code: 'TooMany', message: /twice/ })
  const long = [1, 2, 3, 4].map((at) => page(`t${at}`, { nextCursor: `${at}` }))
  const client = await play({ 'tools/list': long }, { limits: { maxPagesPerList: 3 } })
  await assert.rejects(client.tools.list().all(), { code: 'TooMany', message: /3 pages/ })
})

const cacheable = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']

verifies('caching: hints', async ({ raw }) => {
  const end = await raw('hotel')
  const read = end.result('resources/read', { uri: 'hotel:menu' })
  for (const result of [read, ...['server/discover', ...cacheable].map((method) => end.result(method))]) {
    const { ttlMs, cacheScope } = await result
    assert.ok(Number.isInteger(ttlMs) && (ttlMs as number) >= 0)
    assert.ok(cacheScope === 'public' || cacheScope === 'private')
  }
})

verifies('caching: only where it is defined', async ({ raw }) => {
  const end = await raw('hotel')
  const ref = { type: 'ref/resource', uri: 'hotel:rooms/{number}' }
  for (const result of [
    await end.result('tools/call', { name: 'ring' }),
    await end.result('prompts/get', { name: 'wake' }),
    await end.result('completion/complete', { ref, argument: { name: 'number', value: '' } }),
  ]) {
    assert.ok(!('ttlMs' in result) && !('cacheScope' in result))
  }
})

verifies('caching: not after a handshake', async ({ raw }) => {
  const end = await raw('pages')
  const read = end.result('resources/read', { uri: 'test:1' })
  for (const result of [read, ...cacheable.map((method) => end.result(method))]) {
    assert.doesNotMatch(JSON.stringify(await result), /ttlMs|cacheScope/)
  }
})

verifies('caching: by resource', async ({ raw }) => {
  const end = await raw('pages')
  const { ttlMs, cacheScope } = await end.result('resources/read', { uri: 'test:3' })
  assert.deepEqual([ttlMs, cacheScope], [3_000, 'public'])
})

verifies('caching: same for all pages', async ({ raw }) => {
  const end = await raw('pages')
  for (const method of cacheable) {
    const scopes = (await pagesOf(end, method)).map(({ cacheScope }) => cacheScope)
    assert.equal(scopes.length, 3, method)
    assert.equal(new Set(scopes).size, 1, method)
  }
})

verifies('caching: private by caller', async ({ raw }) => {
  const end = await raw('pages')
  assert.equal((await end.result('tools/list')).cacheScope, 'public')
  assert.equal((await end.result('prompts/list')).cacheScope, 'private')
})

verifies('caching: reused while fresh', async ({ open, sent }) => {
  const client = await open('pages')
  const first = await client.tools.list().all()
  assert.deepEqual(await client.tools.list().all(), first)
  await client.resources.read('test:5')
  await client.resources.read('test:5')
  assert.equal(sent('tools/list').length, 3)
  assert.equal(sent('resources/read').length, 1)
})

verifies('caching: by params', async ({ open, sent }) => {
  const client = await open('pages')
  await client.resources.read('test:4')
  await client.resources.read('test:5')
  assert.equal(sent('resources/read').length, 2)
})

verifies('caching: stale at once', async ({ play, sent }) => {
  const hints = [{ ttlMs: 0, cacheScope: 'public' }, { ttlMs: -1, cacheScope: 'public' }, {}]
  const client = await play({ 'tools/list': [...hints.map((hint) => page('a', hint)), page('a')] })
  for (const _ of [...hints, 'last']) await client.tools.list().all()
  assert.equal(sent('tools/list').length, 4)
})

verifies('caching: never without hints', async ({ open, sent }) => {
  const client = await open('pages')
  await client.resources.read('test:5')
  await client.resources.read('test:5')
  assert.equal(sent('resources/read').length, 2)
})

verifies('caching: calls are never reused', async ({ open, sent }) => {
  const client = await open('pages')
  await client.tools.call('tool1', {})
  await client.tools.call('tool1', {})
  assert.equal(sent('tools/call').length, 2)
})

verifies('caching: dropped on change', async ({ play, sent }) => {
  const fresh = { ttlMs: 60_000, cacheScope: 'private' }
  const contents = [{ uri: 'test:news', text: 'news' }]
  const label = { [meta.subscription]: '$id' }
  const client = await play({
    'tools/list': [page('a', fresh)],
    'resources/read': [[{ result: { contents, ...fresh } }]],
    'subscriptions/listen': [
      [
        { method: 'notifications/subscriptions/acknowledged', params: { notifications: {}, _meta: label } },
        { method: 'notifications/tools/list_changed', params: { _meta: label } },
        { method: 'notifications/resources/updated', params: { uri: 'test:news', _meta: label } },
      ],
    ],
  })
  const all = async () => [await client.tools.list().all(), await client.resources.read('test:news')]
  await all()
  const changed = gate()
  await client.watch({ tools: true, uris: ['test:news'] }, ({ kind }) => kind === 'resource' && changed.open())
  await soon(changed.promise, 'the change')
  await all()
  assert.equal(sent('tools/list').length, 2)
  assert.equal(sent('resources/read').length, 2)
})

verifies('caching: not after input', async ({ play, raw, sent }) => {
  const end = await raw('asking', { capabilities: { elicitation: {} } })
  const question = await end.result('resources/read', { uri: 'test:letter' })
  assert.equal(question.resultType, 'input_required')
  assert.ok(!('ttlMs' in question) && !('cacheScope' in question))
  const contents = [{ uri: 'test:letter', text: 'Dear Ada' }]
  const client = await play({
    'resources/read': [
      [{ result: { resultType: 'input_required', requestState: 'once more' } }],
      [{ result: { resultType: 'complete', contents, ttlMs: 60_000, cacheScope: 'private' } }],
    ],
  })
  await client.resources.read('test:letter')
  await client.resources.read('test:letter')
  assert.equal(sent('resources/read').length, 3)
})
