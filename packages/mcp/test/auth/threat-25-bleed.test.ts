import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../no-leaks.ts'
import { connect } from '../../src/connect.ts'
import { canary, secretFor } from '../fixtures/canary.ts'
import { ask, browsing } from './ask.ts'
import type { Defects } from './defects.ts'
import { hostileServer } from './hostile-server.ts'
import { internet, refusal } from './internet.ts'
import { listening, type Seen } from './listening.ts'

async function somewhere() {
  const seen: Seen[] = []
  const server = await listening('server', seen, (_, response) => void response.end('{}'))
  return { seen, origin: server.origin, [Symbol.asyncDispose]: () => server.close() }
}

const redirects: { readonly [what: string]: (target: string) => Defects } = {
  'the place for tokens': (target) => ({ tokenRedirect: target, clientSecret: 'client-secret' }),
  'the place to register': (target) => ({ registrationRedirect: target }),
}

for (const [what, defects] of Object.entries(redirects)) {
  test(`redirects: ${what} leads to no other host, not even on the same machine`, async () => {
    await using elsewhere = await somewhere()
    await using server = await hostileServer(defects(`${elsewhere.origin}/`))
    await assert.rejects(ask(server.url, browsing()), { problem: 'address' })
    assert.deepEqual(elsewhere.seen, [])
  })
}

test('redirects: the metadata of an issuer may be elsewhere, and is asked for without anything to show', async () => {
  await using elsewhere = await somewhere()
  await using server = await hostileServer({ metadataRedirect: `${elsewhere.origin}/meta` })
  await assert.rejects(ask(server.url, browsing()), { problem: 'issuer' })
  const [seen] = elsewhere.seen
  assert.deepEqual(Object.keys(seen?.headers ?? {}).sort(), ['accept', 'connection', 'host'])
})

test('headers: those sent to the server with every request are sent nowhere else', async () => {
  await using server = await hostileServer()
  const headers = { 'x-api-key': secretFor('key'), cookie: secretFor('cookie') }
  // what answers is no MCP server, which is found out after signing in
  await assert.rejects(connect(new URL(server.url), { auth: browsing(), http: { headers }, revisions: ['2025-06-18'] }))
  const posts = server.seen.filter(({ at, url }) => at === 'server' && url.pathname === '/mcp')
  assert.ok(posts.length > 1 && posts.every((seen) => seen.headers['x-api-key'] === headers['x-api-key']))
  const others = server.seen.filter((seen) => !posts.includes(seen) && seen.url.pathname !== '/authorize')
  assert.ok(others.length > 3)
  for (const { headers, url } of others) assert.ok(!JSON.stringify(headers).includes(canary), url.href)
})

for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']) {
  // what the user sends along is meant above; this one is ours, and only for the server
  test(`headers: requests for metadata name ${revision} to the server, and to no other host`, async () => {
    await using server = await hostileServer()
    await assert.rejects(connect(new URL(server.url), { auth: browsing(), revisions: [revision] }))
    const told = (at: 'server' | 'issuer') =>
      server.seen
        .filter((seen) => seen.at === at && seen.url.pathname.startsWith('/.well-known/'))
        .map(({ headers }) => headers['mcp-protocol-version'])
    assert.deepEqual([told('server'), told('issuer')], [[revision], [undefined]])
  })
}

test('headers: a server that is its own issuer is told the revision when it is asked who it is', async () => {
  const home = 'https://mcp.example.com'
  const told: (string | null)[] = []
  const { fetch } = internet({
    [home]: (_, { headers }) => {
      told.push(new Headers(headers).get('mcp-protocol-version'))
      return new Response(null, { status: 404 })
    },
  })
  const authorizer = browsing({ fetch, redirectUri: 'http://127.0.0.1/callback', open: () => assert.fail() })
  await assert.rejects(authorizer.challenged({ ...refusal(home), revision: '2025-03-26' }), { problem: 'registration' })
  // two places for what it is, two for who authorizes; registering is no question about it
  assert.deepEqual(told, [...new Array(4).fill('2025-03-26'), null])
})

test('headers: an issuer sees exactly what OAuth needs', async () => {
  await using server = await hostileServer({ clientSecret: 'client-secret' })
  await ask(server.url, browsing())
  const expected: { readonly [path: string]: readonly string[] } = {
    '/.well-known/oauth-authorization-server': ['accept', 'connection', 'host'],
    '/register': ['accept', 'connection', 'content-length', 'content-type', 'host', 'user-agent'],
    '/token': ['accept', 'authorization', 'connection', 'content-length', 'content-type', 'host', 'user-agent'],
  }
  for (const [path, names] of Object.entries(expected)) {
    const [seen] = server.seen.filter(({ at, url }) => at === 'issuer' && url.pathname === path)
    assert.deepEqual(Object.keys(seen?.headers ?? {}).sort(), names, path)
  }
})

test('authorize: a token is shown to the server it is for and to no other', async () => {
  await using server = await hostileServer()
  const authorizer = browsing()
  await ask(server.url, authorizer)
  const elsewhere = authorizer.authorize({ method: 'POST', url: 'https://other.example/mcp' })
  await assert.rejects(elsewhere, { code: 'Misuse' })
})

test('authorize: a token is never in an address', async () => {
  await using server = await hostileServer()
  const authorizer = browsing()
  await ask(server.url, authorizer)
  const { authorization } = await authorizer.authorize({ method: 'POST', url: server.url })
  const token = authorization?.split(' ')[1] ?? assert.fail()
  assert.ok(server.seen.every(({ url }) => !url.href.includes(token)))
})
