import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import '../no-leaks.ts'
import { type SignInOptions, signIn } from '../../src/auth.ts'
import { devServer } from '../../src/auth-dev-server.ts'
import { connect, serve } from '../../src/index.ts'
import type { ServeAuth } from '../../src/serve.ts'
import { quiet } from '../fixtures/quiet.ts'
import { vault } from '../protected/vault.ts'
import { ask, browsing } from './ask.ts'
import { hostileServer } from './hostile-server.ts'

const elsewhere = 'https://auth.example.com'

const serving: { readonly [what: string]: [wrong: object, names: RegExp] } = {
  'no issuer': [{}, /give "issuer" as a URL, not as undefined/],
  'an issuer that is no address': [{ issuer: 'auth.example' }, /give "issuer" as a URL, not as "auth.example"/],
  'keys that are nowhere': [{ issuer: elsewhere, jwksUri: 'keys' }, /give "jwksUri" as a URL/],
  'a place to ask that is none': [
    { issuer: elsewhere, introspection: { clientId: 'a', clientSecret: 'b', endpoint: 'x' } },
    /give "introspection.endpoint" as a URL/,
  ],
}

for (const [what, [wrong, names]] of Object.entries(serving)) {
  test(`serve: refuses ${what} and names the option`, async () => {
    await assert.rejects(serve(vault().definition, { http: 0, auth: wrong as ServeAuth }), names)
  })
}

const signingIn: { readonly [what: string]: [wrong: SignInOptions, names: RegExp] } = {
  'trust in what is no origin': [{ trusted: ['corp'] }, /give "trusted" as a URL, not as "corp"/],
  'an issuer that is no address': [{ issuer: 'corp' }, /give "issuer" as a URL/],
  'a way back that is no address': [{ redirectUri: 'callback' }, /give "redirectUri" as a URL/],
  'a description that is not encrypted': [{ clientIdUrl: 'http://a/b' }, /must be an https: URL with a path/],
}

for (const [what, [wrong, names]] of Object.entries(signingIn)) {
  test(`signIn: refuses ${what} and names the option`, () => {
    assert.throws(() => signIn(wrong), names)
  })
}

test('signIn: a way back that is taken, or not on this machine, is told together with what to do', async () => {
  await using server = await hostileServer()
  const taken = createServer()
  await once(taken.listen(0, '127.0.0.1'), 'listening')
  const redirectUri = `http://127.0.0.1:${(taken.address() as AddressInfo).port}/callback`
  await assert.rejects(ask(server.url, browsing({ redirectUri })), /it is in use; give another "redirectUri"/)
  taken.close()
  await assert.rejects(ask(server.url, browsing({ redirectUri: `${elsewhere}/cb` })), /takes a "visit"/)
})

test('signIn: an issuer that is not encrypted, or spelled otherwise, is told as it was found', async () => {
  await using open = await hostileServer({ issuers: ['http://auth.example.com'] })
  await assert.rejects(ask(open.url, browsing()), /is not encrypted; .*"trusted"/)
  await using server = await hostileServer()
  server.defects.issuers = [`${server.issuer}/`]
  await assert.rejects(ask(server.url, browsing()), new RegExp(`of "${server.issuer}/" is that of "${server.issuer}"`))
})

test('signIn: when the user does not sign in, the error names the time limit', async () => {
  await using server = await hostileServer()
  const patience = { limits: { maxSignInMs: 10 }, open: () => {} }
  await assert.rejects(ask(server.url, browsing(patience)), /the 10 ms of "limits.maxSignInMs"/)
})

test('signIn: why a server does not take a new token is told in its words', async () => {
  await using authorization = await devServer({
    clients: [{ clientId: 'own', redirectUris: ['http://127.0.0.1/callback'] }],
    warn: () => {},
  })
  const auth = { issuer: authorization.issuer, audience: 'https://other.example' }
  await using listening = await serve(vault(quiet).definition, { http: 0, auth })
  const client = browsing({ client: { clientId: 'own' } })
  await assert.rejects(connect(new URL(listening.url), { auth: client }), /"The token was not issued for this server"/)
  await assert.rejects(
    connect(new URL(listening.url)),
    /401 Unauthorized: no token was sent; "auth" shows who is calling/,
  )
})
