import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import '../no-leaks.ts'
import { memorySecrets } from '../../src/auth.ts'
import { ask, browse, browsing } from './ask.ts'
import { hostileServer } from './hostile-server.ts'

for (const challengeMethods of [[], ['plain']]) {
  test(`PKCE: an issuer that offers ${JSON.stringify(challengeMethods)} gets no user`, async () => {
    await using server = await hostileServer({ challengeMethods })
    const open = () => assert.fail('a page was opened')
    await assert.rejects(ask(server.url, browsing({ open })), { problem: 'discovery' })
    assert.deepEqual([server.count('/authorize'), server.count('/token')], [0, 0])
  })
}

test('PKCE: a code of another request is not redeemed with our verifier', async () => {
  await using server = await hostileServer()
  const open = async (url: URL): Promise<void> => {
    const theirs = new URL(url)
    theirs.searchParams.set('code_challenge', 'x'.repeat(43))
    await browse(theirs)
  }
  await assert.rejects(ask(server.url, browsing({ open })), { error: 'invalid_grant' })
})

test('callback: each visit has a state and a verifier of its own', async () => {
  await using server = await hostileServer({ isForgetful: true })
  const authorizer = browsing()
  await ask(server.url, authorizer)
  server.revokeAll()
  await ask(server.url, authorizer)
  const visits = server.seen.filter(({ url }) => url.pathname === '/authorize').map(({ url }) => url.searchParams)
  assert.equal(visits.length, 2)
  for (const name of ['state', 'code_challenge']) assert.equal(new Set(visits.map((visit) => visit.get(name))).size, 2)
})

for (const state of ['of somebody else', null]) {
  test(`callback: a browser that brings ${state === null ? 'no state' : 'another state'} is not signed in`, async () => {
    await using server = await hostileServer({ state })
    await assert.rejects(ask(server.url, browsing({ limits: { maxSignInMs: 50 } })), { problem: 'sign-in' })
    assert.equal(server.count('/token'), 0)
  })
}

test('callback: listens at 127.0.0.1 only, and not any more when the visit is over', async () => {
  await using server = await hostileServer()
  await ask(server.url, browsing())
  const [visit] = server.seen.filter(({ url }) => url.pathname === '/authorize')
  const back = new URL(visit?.url.searchParams.get('redirect_uri') ?? '')
  assert.equal(back.hostname, '127.0.0.1')
  await assert.rejects(fetch(back))
})

test('callback: the address is told to the issuer word for word, each time', async () => {
  await using server = await hostileServer()
  await ask(server.url, browsing())
  const [visit] = server.seen.filter(({ url }) => url.pathname === '/authorize')
  const [exchange] = server.seen.filter(({ url }) => url.pathname === '/token')
  const [registration] = server.seen.filter(({ url }) => url.pathname === '/register')
  const uri = visit?.url.searchParams.get('redirect_uri')
  assert.equal(new URLSearchParams(exchange?.body).get('redirect_uri'), uri)
  assert.deepEqual(JSON.parse(registration?.body ?? '').redirect_uris, [uri])
})

test('callback: comes back to the port that was registered, and registers anew when another program has it', async () => {
  await using server = await hostileServer({ isForgetful: true })
  const store = memorySecrets()
  const ports = () => {
    const visits = server.seen.filter(({ url }) => url.pathname === '/authorize')
    return visits.map(({ url }) => new URL(url.searchParams.get('redirect_uri') ?? '').port)
  }
  await ask(server.url, browsing({ store }))
  server.revokeAll()
  await ask(server.url, browsing({ store }))
  assert.equal(new Set(ports()).size, 1)
  assert.equal(server.count('/register'), 1)
  const impostor = createServer()
  await once(impostor.listen(Number(ports()[0]), '127.0.0.1'), 'listening')
  server.revokeAll()
  await ask(server.url, browsing({ store }))
  await new Promise((resolve) => impostor.close(resolve))
  assert.equal(new Set(ports()).size, 2)
  assert.equal(server.count('/register'), 2)
})

test('callback: an address that was asked for and is taken is an error, not another address', async () => {
  await using server = await hostileServer()
  const impostor = createServer()
  await once(impostor.listen(0, '127.0.0.1'), 'listening')
  const { port } = impostor.address() as { port: number }
  const redirectUri = `http://localhost:${port}/callback`
  await assert.rejects(ask(server.url, browsing({ redirectUri })), { problem: 'sign-in' })
  await new Promise((resolve) => impostor.close(resolve))
})

test('sign-in: the user may say no, and is not asked again at once', async () => {
  await using server = await hostileServer({ denial: 'access_denied' })
  const authorizer = browsing()
  await assert.rejects(ask(server.url, authorizer), { problem: 'refused', error: 'access_denied' })
  await assert.rejects(ask(server.url, authorizer), { problem: 'refused', error: 'access_denied' })
  assert.equal(server.count('/authorize'), 1)
})

test('sign-in: a caller that gives up waiting leaves nothing behind', async () => {
  await using server = await hostileServer()
  const stop = new AbortController()
  const open = (): void => stop.abort(new Error('enough'))
  await assert.rejects(ask(server.url, browsing({ open }), stop.signal), /enough/)
})

test('sign-in: a page that cannot be shown is an error at once', async () => {
  await using server = await hostileServer()
  const open = () => Promise.reject(new Error('no display'))
  await assert.rejects(ask(server.url, browsing({ open })), /no display/)
})

test('registration: a program that is refused says why', async () => {
  await using server = await hostileServer({ registrationError: 'invalid_redirect_uri' })
  await assert.rejects(ask(server.url, browsing()), { problem: 'registration', error: 'invalid_redirect_uri' })
})

test('registration: a client that was registered by hand, or by a document, comes first', async () => {
  await using server = await hostileServer()
  const client = { clientId: 'by-hand' }
  await ask(server.url, browsing({ client, clientIdUrl: 'https://app.example/client.json' }))
  const [visit] = server.seen.filter(({ url }) => url.pathname === '/authorize')
  assert.equal(visit?.url.searchParams.get('client_id'), 'by-hand')
  assert.equal(server.count('/register'), 0)
})

for (const clientIdUrl of ['http://app.example/client.json', 'https://app.example/', 'nonsense']) {
  test(`registration: "${clientIdUrl}" is no document to be known by`, () => {
    assert.throws(() => browsing({ clientIdUrl }), { problem: 'registration' })
  })
}
