import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carried } from '../../../test/auth/carried.ts'
import {
  canonicalResource,
  processResourceMetadata,
  resourceMetadataLocations,
  resourceMetadataRequest,
} from './discover.ts'

const server = new URL('https://mcp.example.com/public/mcp')
const wellKnown = 'https://mcp.example.com/.well-known/oauth-protected-resource'

test('resourceMetadataLocations: below a path like that of the server, then at the root', () => {
  assert.deepEqual(resourceMetadataLocations(server), [`${wellKnown}/public/mcp`, wellKnown])
  assert.deepEqual(resourceMetadataLocations(new URL('https://mcp.example.com')), [wellKnown])
  const asked = new URL('https://mcp.example.com/mcp?tenant=a')
  assert.deepEqual(resourceMetadataLocations(asked), [`${wellKnown}/mcp?tenant=a`, wellKnown])
})

test('resourceMetadataLocations: where the server says comes first', () => {
  const [first, ...rest] = resourceMetadataLocations(server, 'https://mcp.example.com/meta.json')
  assert.equal(first, 'https://mcp.example.com/meta.json')
  assert.equal(rest.length, 2)
  assert.equal(resourceMetadataLocations(server, wellKnown).length, 2)
})

test('resourceMetadataRequest: asks the server', async () => {
  const network = carried(() => Response.json({}))
  await resourceMetadataRequest(wellKnown, network)
  assert.deepEqual(
    network.sent.map(({ method, url }) => [method, url.href]),
    [['GET', wellKnown]],
  )
})

test('resourceMetadataRequest: asks no other server', async () => {
  const network = carried(() => assert.fail())
  for (const location of [
    'https://evil.example/meta',
    'http://mcp.example.com/meta',
    'https://mcp.example.com:8443/m',
  ]) {
    await assert.rejects(resourceMetadataRequest(location, network), { problem: 'address' }, location)
  }
  const trusting = carried(() => Response.json({}))
  const policy = { ...trusting.policy, trusted: new Set(['https://meta.example']) }
  assert.ok(await resourceMetadataRequest('https://meta.example/x', { ...trusting, policy }))
})

function read(document: unknown, at = server) {
  return processResourceMetadata(Response.json(document), at)
}

test('processResourceMetadata: reads what the server says of itself', async () => {
  const metadata = await read({
    resource: 'https://mcp.example.com/public/mcp',
    authorization_servers: ['https://auth.example.com', 7],
    scopes_supported: ['a', 'b', 'a'],
    dpop_bound_access_tokens_required: true,
  })
  assert.deepEqual(metadata, {
    resource: 'https://mcp.example.com/public/mcp',
    authorizationServers: ['https://auth.example.com'],
    scopes: ['a', 'b'],
    bindsTokens: true,
  })
})

test('processResourceMetadata: a missing member is left out', async () => {
  const metadata = await read({ resource: 'https://mcp.example.com' })
  assert.deepEqual(metadata, {
    resource: 'https://mcp.example.com',
    authorizationServers: [],
    scopes: undefined,
    bindsTokens: false,
  })
})

for (const resource of [
  'https://mcp.example.com',
  'https://mcp.example.com/',
  'https://mcp.example.com/public',
  'HTTPS://MCP.example.com/public/mcp/',
]) {
  test(`processResourceMetadata: ${resource} is the server, or what it is a part of`, async () => {
    assert.equal((await read({ resource }))?.resource, resource)
  })
}

const others = [
  ...['https://evil.example/public/mcp', 'https://mcp.example.com/other', 'https://mcp.example.com/pub', 'nonsense'],
  ...['http://mcp.example.com/public/mcp', 'https://mcp.example.com/public/mcp/more', 'https://mcp.example.com/#a', ''],
]

for (const resource of [...others, undefined, 7]) {
  test(`processResourceMetadata: ${JSON.stringify(resource)} is another resource`, async () => {
    await assert.rejects(read({ resource, authorization_servers: ['https://auth.example.com'] }), {
      problem: 'discovery',
    })
  })
}

for (const response of [
  new Response('', { status: 404 }),
  new Response('<html>'),
  Response.json([]),
  Response.json(null),
]) {
  test('processResourceMetadata: there may be none here', async () => {
    assert.equal(await processResourceMetadata(response, server), undefined)
  })
}

test('processResourceMetadata: a server that is broken does not say that there is none', async () => {
  await assert.rejects(processResourceMetadata(new Response('', { status: 503 }), server), { problem: 'discovery' })
})

test('canonicalResource: has neither fragment nor query, nor a slash that stands for nothing', () => {
  assert.equal(canonicalResource(new URL('HTTPS://MCP.Example.com:443/#a')), 'https://mcp.example.com')
  assert.equal(canonicalResource(new URL('https://mcp.example.com/mcp?key=secret#a')), 'https://mcp.example.com/mcp')
})
