import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../no-leaks.ts'
import { ask, browsing } from './ask.ts'
import { hostileServer } from './hostile-server.ts'

test('mix-up: an issuer that sends users to the page of another never sees the code', async () => {
  await using honest = await hostileServer()
  await using evil = await hostileServer({ authorizationEndpoint: `${honest.issuer}/authorize`, announcesIss: false })
  await assert.rejects(ask(evil.url, browsing()), { problem: 'issuer' })
  assert.equal(honest.count('/authorize'), 1)
  assert.deepEqual([honest.count('/token'), evil.count('/token')], [0, 0])
})

test('mix-up: metadata that names another issuer is not used', async () => {
  await using honest = await hostileServer()
  await using evil = await hostileServer({ issuer: honest.issuer })
  await assert.rejects(ask(evil.url, browsing()), { problem: 'issuer' })
  assert.deepEqual(
    evil.seen.map(({ url }) => url.pathname).filter((path) => !path.startsWith('/.well-known')),
    ['/mcp'],
  )
})

test('mix-up: a refusal that another issuer sends is not repeated', async () => {
  await using server = await hostileServer({ iss: 'https://evil.example', denial: 'shown_to_nobody' })
  await assert.rejects(ask(server.url, browsing()), (error: Error & { problem?: string }) => {
    return error.problem === 'issuer' && !error.message.includes('shown_to_nobody')
  })
})

for (const iss of ['https://evil.example', null]) {
  test(`mix-up: a code that comes from ${iss ?? 'no issuer'} is not redeemed`, async () => {
    await using server = await hostileServer({ iss })
    await assert.rejects(ask(server.url, browsing()), { problem: 'issuer' })
    assert.equal(server.count('/token'), 0)
  })
}

test('mix-up: metadata that changes while the user signs in changes nothing', async () => {
  await using honest = await hostileServer()
  await using evil = await hostileServer()
  const open = async (url: URL): Promise<void> => {
    honest.defects.tokenEndpoint = `${evil.issuer}/token`
    await fetch(url)
  }
  await ask(honest.url, browsing({ open }))
  assert.deepEqual([honest.count('/token'), evil.count('/token')], [1, 0])
})

test('mix-up: credentials of one issuer are not shown to another that the server names later', async () => {
  await using first = await hostileServer({ clientSecret: 'secret-of-the-first' })
  await using second = await hostileServer({ clientSecret: 'secret-of-the-second' })
  const authorizer = browsing()
  await ask(first.url, authorizer)
  const { authorization } = await authorizer.authorize({ method: 'POST', url: first.url })
  const [registration] = second.seen
  assert.equal(registration, undefined)
  first.defects.issuers = [second.issuer]
  first.revokeAll()
  // the server still knows no token of the second issuer, which is another matter
  await assert.rejects(ask(first.url, authorizer), { problem: 'limit' })
  assert.equal(second.count('/register'), 1)
  const shown = second.seen.map(({ headers, body, url }) => `${headers.authorization} ${body} ${url}`).join('\n')
  assert.ok(!shown.includes('secret-of-the-first') && !shown.includes(authorization?.split(' ')[1] ?? ''))
  const basic = first.seen.find(({ url }) => url.pathname === '/token')?.headers.authorization ?? assert.fail()
  assert.ok(!shown.includes(basic))
})

test('mix-up: a client that was registered by hand stays with the issuer it is for', async () => {
  await using first = await hostileServer()
  await using second = await hostileServer()
  const authorizer = browsing({ client: { clientId: 'by-hand', clientSecret: 'secret-by-hand' } })
  await ask(first.url, authorizer)
  first.defects.issuers = [second.issuer]
  first.revokeAll()
  await assert.rejects(ask(first.url, authorizer), { problem: 'issuer' })
  assert.deepEqual(
    second.seen.map(({ url }) => url.pathname),
    ['/.well-known/oauth-authorization-server'],
  )
})

test('mix-up: of several issuers the one that is expected is taken, and no other', async () => {
  await using server = await hostileServer()
  await using other = await hostileServer()
  server.defects.issuers = [other.issuer, server.issuer]
  assert.ok((await ask(server.url, browsing({ issuer: server.issuer }))).ok)
  await assert.rejects(ask(server.url, browsing({ issuer: 'https://expected.example' })), { problem: 'issuer' })
  assert.equal(other.count('/authorize'), 0)
})
