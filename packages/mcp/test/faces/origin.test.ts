import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, type ServerRequest, server } from '@trunkline/mcp'
import { toFetch } from '@trunkline/mcp/http'
import { toNode } from '@trunkline/mcp/node'
import { faces, listening } from './faces.ts'

const revisions = ['2026-07-28', '2025-11-25']

/** A server that records its requests. */
function seeing() {
  const seen: ServerRequest[] = []
  const app = server({ name: 'seeing', version: '1' })
    .tool('echo', {}, () => 'hi')
    .use((next) => (request) => {
      seen.push(request)
      return next(request)
    })
  return { app, seen }
}

for (const [face, open] of Object.entries(faces)) {
  for (const revision of revisions) {
    test(`use: middleware sees the HTTP headers of a call on ${face}, in ${revision}`, async () => {
      const { app, seen } = seeing()
      await using place = await open(app, {})
      const http = { headers: { 'x-tenant': 'north' }, ...(place.fetch && { fetch: place.fetch }) }
      await using mcp = await connect(place.url, { http, revisions: [revision] })
      await mcp.tools.call('echo', {})
      assert.equal(seen.at(-1)?.incoming.sender?.headers?.get('X-Tenant'), 'north')
    })
  }
}

for (const revision of revisions) {
  test(`toFetch: the principal authenticated before is the caller, in ${revision}`, async () => {
    const { app, seen } = seeing()
    const handler = toFetch(app)
    const fetch = (url: string, init: RequestInit) => handler.handle(new Request(url, init), { principal: 'ada' })
    await using mcp = await connect('http://localhost/mcp', { http: { fetch }, revisions: [revision] })
    await mcp.tools.call('echo', {})
    assert.equal(seen.at(-1)?.caller.principal, 'ada')
  })

  test(`toNode: the principal authenticated before is the caller, in ${revision}`, async () => {
    const { app, seen } = seeing()
    const listener = toNode(app)
    await using place = await listening((request, response) => listener.handle(request, response, { principal: 'ada' }))
    await using mcp = await connect(place.url, { revisions: [revision] })
    await mcp.tools.call('echo', {})
    assert.equal(seen.at(-1)?.caller.principal, 'ada')
  })
}
