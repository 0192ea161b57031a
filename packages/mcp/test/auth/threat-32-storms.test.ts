import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../no-leaks.ts'
import { ask, browsing } from './ask.ts'
import { hostileServer } from './hostile-server.ts'

for (const refuses of [401, 403] as const) {
  test(`storms: a server that always says ${refuses} gets few requests, then an error, then no more visits`, async () => {
    await using server = await hostileServer({ refuses, scope: 'admin' })
    const authorizer = browsing()
    const attempts = Array.from({ length: 20 }, () => ask(server.url, authorizer))
    const outcomes = await Promise.allSettled(attempts)
    for (const outcome of outcomes) assert.equal(outcome.status === 'rejected' && outcome.reason.code, 'Unauthorized')
    await assert.rejects(ask(server.url, authorizer), { code: 'Unauthorized' })
    assert.ok(server.count('/authorize') <= 2, `${server.count('/authorize')} visits`)
    assert.ok(server.count('/mcp') <= 21 * 3, `${server.count('/mcp')} requests`)
  })
}

test('storms: one request is refused 3 times at most, whatever the server says each time', async () => {
  await using server = await hostileServer({ refuses: 403, scope: 'a' })
  let visits = 0
  // each time there is something more to ask for
  const open = async (url: URL): Promise<void> => {
    server.defects.scope = `a b${++visits}`
    await fetch(url)
  }
  await assert.rejects(ask(server.url, browsing({ open })), { problem: 'limit' })
  assert.equal(visits, 3)
  assert.equal(server.count('/mcp'), 4)
})

test('storms: how often a request may be refused can be said', async () => {
  await using server = await hostileServer({ refuses: 403, scope: 'a' })
  const authorizer = browsing({ limits: { maxAttempts: 1 } })
  server.defects.scope = 'b'
  await assert.rejects(ask(server.url, authorizer), { code: 'Unauthorized' })
  assert.equal(server.count('/mcp'), 2)
})

test('storms: a failed sign-in rests for a while, and is then tried again', async () => {
  await using server = await hostileServer({ denial: 'access_denied' })
  let now = 0
  const authorizer = browsing({ now: () => now })
  await assert.rejects(ask(server.url, authorizer), { error: 'access_denied' })
  now = 14_999
  await assert.rejects(ask(server.url, authorizer), { error: 'access_denied' })
  assert.equal(server.count('/authorize'), 1)
  delete server.defects.denial
  now = 30_000
  assert.equal((await ask(server.url, authorizer)).status, 200)
})

test('storms: an issuer that is down is asked once for many requests', async () => {
  await using server = await hostileServer({ issuers: ['http://127.0.0.1:1'] })
  const authorizer = browsing()
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => ask(server.url, authorizer)))
  assert.ok(outcomes.every(({ status }) => status === 'rejected'))
  assert.equal(server.count('/.well-known/oauth-protected-resource/mcp'), 1)
})

test('step-up: asks for what was had and for what is missing, and goes on', async () => {
  await using server = await hostileServer({ scope: 'read' })
  const authorizer = browsing()
  await ask(server.url, authorizer)
  server.defects.scope = 'write'
  assert.equal((await ask(server.url, authorizer)).status, 200)
  const asked = server.seen
    .filter(({ url }) => url.pathname === '/authorize')
    .map(({ url }) => url.searchParams.get('scope'))
  assert.deepEqual(asked, ['read', 'read write'])
})

test('step-up: a refusal for another reason is handed on', async () => {
  const authorizer = browsing()
  await authorizer.authorize({ method: 'POST', url: 'https://mcp.example.com/' })
  for (const [status, challenge] of [
    [403, 'Bearer'],
    [403, null],
    [403, 'Bearer error="invalid_token"'],
    [404, 'Bearer'],
  ] as const) {
    const refusal = { status, url: 'https://mcp.example.com/', sent: {}, attempt: 0, header: () => challenge }
    assert.equal(await authorizer.challenged(refusal), false)
  }
})
