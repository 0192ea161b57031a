import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startIssuer } from '../../../test/fixtures/issuer.ts'
import { gate as makeLatch } from '../../../test/gate.ts'
import type { AuthenticatedCaller, AuthRefusal, AuthRequest } from './authenticator.ts'
import { type ProtectOptions, protect } from './protect.ts'

const resource = 'http://127.0.0.1:1234/mcp'
const issuer = await startIssuer(resource)
after(() => issuer[Symbol.asyncDispose]())

const asking = { clientId: 'weather', clientSecret: 'a secret: with %, + and ü' } as const

function gateWith(options: Partial<ProtectOptions> = {}) {
  return protect({ issuer: issuer.url, resource, introspection: asking, ...options })
}

function visitor(token: string): AuthRequest {
  const authorization = `Bearer ${token}`
  return { method: 'POST', path: '/mcp', header: (name) => (name === 'authorization' ? authorization : undefined) }
}

const show = async (token: string, at = gateWith()): Promise<AuthenticatedCaller | AuthRefusal> =>
  at.authenticate(visitor(token))
const good = { active: true, sub: 'ann', client_id: 'laptop', scope: 'read', aud: resource }

beforeEach(() => {
  issuer.status = 200
  issuer.introspect = () => good
})

test('introspection: the issuer is asked with this server’s credentials, about this token', async () => {
  issuer.introspect = (form, authorization) => {
    const encoded = [asking.clientId, asking.clientSecret].map((part) =>
      new URLSearchParams({ '': part }).toString().slice(1),
    )
    assert.equal(authorization, `Basic ${btoa(encoded.join(':'))}`)
    assert.deepEqual(Object.fromEntries(form), { token: 'opaque', token_type_hint: 'access_token' })
    return good
  }
  const guest = await show('opaque')
  assert.ok(!('status' in guest))
  assert.deepEqual([guest.principal, guest.scopes], [JSON.stringify([issuer.url, 'ann', 'laptop']), ['read']])
  assert.equal(guest.expiresAt, undefined)
})

const bad: { readonly [what: string]: object } = {
  'is not active': { active: false },
  'is not said to be active': { ...good, active: 'true' },
  'is for another server': { ...good, aud: `${resource}2` },
  'has no audience': { ...good, aud: undefined },
  'is for others': { ...good, aud: ['https://other.example'] },
  'is of another issuer': { ...good, iss: 'https://other.example' },
  'has no subject': { ...good, sub: undefined, client_id: undefined },
}

for (const [what, claims] of Object.entries(bad)) {
  test(`introspection: a token that ${what} is refused`, async () => {
    issuer.introspect = () => claims
    const away = await show('opaque')
    assert.ok('status' in away)
    assert.equal(away.status, 401)
    assert.match(away.headers['www-authenticate'] ?? '', /error="invalid_token"/)
  })
}

test('introspection: an issuer that does not answer as it should is nothing the caller did wrong', async () => {
  issuer.status = 401
  await assert.rejects(show('opaque'))
  issuer.status = 200
  issuer.introspect = () => []
  await assert.rejects(show('opaque'))
})

test('introspection: every request is asked about, unless it may be remembered', async () => {
  const count = async (options: Partial<ProtectOptions>) => {
    issuer.introspect = () => ({ ...good, exp: Math.floor(Date.now() / 1_000) + 300 })
    const gate = gateWith(options)
    const before = issuer.asked.length
    for (let times = 0; times < 3; times++) await show('opaque', gate)
    return issuer.asked.slice(before).filter((what) => what === 'POST /introspect').length
  }
  assert.equal(await count({}), 3)
  assert.equal(await count({ rememberMs: 60_000 }), 1)
})

test('introspection: as many questions are open as allowed, and no more', async () => {
  const latch = makeLatch()
  issuer.introspect = () => latch.promise.then(() => good)
  const gate = gateWith({
    introspection: { ...asking, endpoint: `${issuer.url}/introspect` },
    limits: { maxIntrospectionsInFlight: 2 },
  })
  const two = [show('a', gate), show('b', gate)]
  await assert.rejects(show('c', gate), ({ cause }: Error) =>
    /2 introspection requests are in flight/.test(String(cause)),
  )
  latch.open()
  for (const guest of await Promise.all(two)) assert.ok(!('status' in guest))
  assert.ok(!('status' in (await show('c', gate))))
})
