import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ConnectOptions, connect, HeaderMismatch, RpcError, server } from '@trunkline/mcp'
import { type FetchHandler, toFetch } from '@trunkline/mcp/http'
import { revisions } from '@trunkline/mcp/testing'

const regional = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  required: ['region'],
} as const

const marked = () =>
  server({ name: 'near', version: '1', cache: { ttlMs: 60_000, scope: 'public' } }).tool(
    'where',
    { input: regional },
    ({ region }) => region,
  )

/** Reaches a handler in this process as if it were far away. */
function through(handler: FetchHandler, seen: Request[] = []): ConnectOptions {
  const fetch = (url: string, init: RequestInit): Promise<Response> => {
    const request = new Request(url, init)
    seen.push(request)
    return handler(request)
  }
  return { http: { fetch } }
}

for (const target of ['http://localhost/mcp', new URL('http://localhost/mcp')] as const) {
  for (const revision of revisions.filter((one) => one !== '2024-11-05')) {
    test(`connect: a ${typeof target === 'string' ? 'string' : 'URL'} leads to a server, in ${revision}`, async () => {
      await using mcp = await connect(target, { ...through(toFetch(marked())), revisions: [revision] })
      assert.equal(mcp.revision, revision)
      const { content } = await mcp.tools.call('where', { region: 'north' })
      assert.deepEqual(content, [{ type: 'text', text: 'north' }])
    })
  }
}

test('tools.call: arguments that a tool marked travel beside the call, encoded where headers need it', async () => {
  const seen: Request[] = []
  await using mcp = await connect('http://localhost/mcp', through(toFetch(marked()), seen))
  await mcp.tools.list().all()
  await mcp.tools.call('where', { region: 'søder' })
  assert.equal(seen.at(-1)?.headers.get('mcp-param-region'), '=?base64?c8O4ZGVy?=')
})

test('tools.call: a call refused for its headers is made again once the tools are known anew', async () => {
  const seen: Request[] = []
  await using mcp = await connect('http://localhost/mcp', through(toFetch(marked()), seen))
  const { content } = await mcp.tools.call('where', { region: 'north' })
  assert.deepEqual(content, [{ type: 'text', text: 'north' }])
  const methods = seen.map(({ headers }) => headers.get('mcp-method'))
  assert.deepEqual(methods, ['server/discover', 'tools/call', 'tools/list', 'tools/call'])
})

test('tools.call: a call that would be refused for its headers again is not made again', async () => {
  const seen: Request[] = []
  const app = server({ name: 'strict', version: '1' }).tool('no', {}, () => {
    throw new RpcError(HeaderMismatch, 'Never right')
  })
  await using mcp = await connect('http://localhost/mcp', through(toFetch(app), seen))
  await assert.rejects(mcp.tools.call('no', {}), /Never right/)
  assert.equal(seen.filter(({ headers }) => headers.get('mcp-method') === 'tools/call').length, 1)
})

test('tools.list: a tool with a bad mark is left out where marks mean something, and only there', async () => {
  const bad = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'not a name' } } }
  const app = server({ name: 'sloppy', version: '1' })
  app.tool('bad', { input: bad }, () => '')
  app.tool('good', {}, () => '')
  const listed = async (revision: string) => {
    const warnings: string[] = []
    await using mcp = await connect(app, { revisions: [revision], onWarning: (message) => warnings.push(message) })
    return { names: (await mcp.tools.list().all()).map(({ name }) => name), warnings }
  }
  const newest = await listed('2026-07-28')
  assert.deepEqual(newest.names, ['good'])
  assert.match(newest.warnings.join(), /Left out tool "bad": "region" has a header name that is none/)
  assert.deepEqual(await listed('2025-11-25'), { names: ['bad', 'good'], warnings: [] })
})

test('connect: the revision found by a client of few revisions does not bind the next client', async () => {
  const options = through(toFetch(marked()))
  for (const own of [['2025-11-25'], ['2026-07-28'], revisions]) {
    await using mcp = await connect('http://localhost/again', { ...options, revisions: own })
    assert.equal(mcp.revision, own[0])
  }
})
