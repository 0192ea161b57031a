import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader, type JWK } from 'jose'
import { memorySecrets } from '../../src/auth.ts'
import { ask, browsing } from './ask.ts'
import { oidc } from './oidc.ts'

/** A browser that keeps cookies, as signing in needs them. */
async function browse(url: URL): Promise<void> {
  const jar = new Map<string, string>()
  let at = url
  for (let steps = 0; steps < 20; steps++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(at, { headers: { cookie }, redirect: 'manual' })
    const text = await response.text()
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      jar.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) return assert.equal(response.status, 200, text)
    at = new URL(location, at)
  }
  assert.fail('the browser goes round in circles')
}

test('oidc-provider: registers, signs in with PKCE and a resource, and is let in', async () => {
  await using server = await oidc()
  const response = await ask(server.url, browsing({ open: browse }))
  assert.equal(response.status, 200)
  assert.deepEqual(server.events, ['registration_create.success', 'authorization.success', 'grant.success'])
})

test('oidc-provider: rotates refresh tokens, and every one of them works once', async () => {
  await using server = await oidc()
  const store = memorySecrets()
  const tokens = new Set<string>()
  for (let round = 0; round < 4; round++) {
    const response = await ask(server.url, browsing({ store, open: browse }))
    tokens.add(((await response.json()) as { token: string }).token)
    server.refuseOld()
  }
  assert.equal(tokens.size, 4)
  assert.deepEqual(server.events.filter((event) => event === 'authorization.success').length, 1)
  assert.equal(server.events.includes('grant.error'), false)
})

test('oidc-provider: binds tokens to the key of the program, also when they are renewed', async () => {
  await using server = await oidc({ dPoP: { enabled: true } })
  const store = memorySecrets()
  for (let round = 0; round < 2; round++) {
    assert.equal((await ask(server.url, browsing({ store, open: browse, dpop: true }))).status, 200)
    server.refuseOld()
  }
  const shown = server.seen.filter(({ headers }) => headers.dpop !== undefined)
  const bound = shown.map(
    ({ headers }) => decodeJwt<{ cnf: { jkt: string } }>(headers.authorization?.split(' ')[1] ?? '').cnf.jkt,
  )
  const keys = shown.map(({ headers }) => decodeProtectedHeader(String(headers.dpop)).jwk as JWK)
  assert.deepEqual(bound, await Promise.all(keys.map((key) => calculateJwkThumbprint(key))))
  assert.equal(new Set(bound).size, 1)
  assert.ok(shown.every(({ headers }) => headers.authorization?.startsWith('DPoP ')))
  assert.equal(server.events.includes('grant.error'), false)
})
