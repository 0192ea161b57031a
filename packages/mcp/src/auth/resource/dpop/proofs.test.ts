import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeHolder } from '../../../../test/fixtures/holder.ts'
import { startIssuer } from '../../../../test/fixtures/issuer.ts'
import { memoryCluster } from '../../../stores/memory-cluster.ts'
import { demandOf } from '../../shared/parse-challenge.ts'
import type { AuthenticatedCaller, Authenticator, AuthRefusal } from '../authenticator.ts'
import { type ProtectOptions, protect } from '../protect.ts'

const resource = 'http://127.0.0.1:1234/mcp'
const issuer = await startIssuer(resource)
after(() => issuer[Symbol.asyncDispose]())

let now = Date.now()
const holder = await makeHolder(resource, () => now)
const thief = await makeHolder(resource, () => now)
const bound = () => issuer.sign({ cnf: { jkt: holder.thumbprint }, exp: Math.floor(now / 1_000) + 300 })

function gateWith(dpop: ProtectOptions['dpop'] = {}, limits: ProtectOptions['limits'] = {}): Authenticator {
  return protect({ issuer: issuer.url, resource, dpop, limits, leewayMs: 5_000, now: () => now })
}

const gate = gateWith()

interface Shown {
  readonly token: string
  readonly proof?: string
  readonly scheme?: string
  readonly path?: string
}

async function show(
  { token, proof, scheme = 'DPoP', path = '/mcp' }: Shown,
  at = gate,
): Promise<AuthenticatedCaller | AuthRefusal> {
  const headers = new Map([['authorization', `${scheme} ${token}`], ...(proof ? [['dpop', proof] as const] : [])])
  return at.authenticate({ method: 'POST', path, header: (name) => headers.get(name) })
}

async function refused(shown: Shown, at = gate): Promise<AuthRefusal & { error: string | undefined }> {
  const found = await show(shown, at)
  assert.ok('status' in found)
  assert.equal(found.status, 401)
  const { schemes, error } = demandOf(found.headers['www-authenticate'] ?? null)
  assert.ok(schemes.has('dpop') || shown.scheme === 'Bearer')
  return { ...found, error }
}

async function admitted(shown: Shown, at = gate): Promise<AuthenticatedCaller> {
  const found = await show(shown, at)
  assert.ok(!('status' in found), 'status' in found ? found.message : '')
  return found
}

test('Proofs: a bound token with a proof of its holder is admitted', async () => {
  const token = await bound()
  const guest = await admitted({ token, proof: await holder.prove(token) })
  assert.equal(guest.claims.sub, 'ann')
})

test('Proofs: a bound token is good for nothing without a proof, whatever it is called', async () => {
  const token = await bound()
  assert.equal((await refused({ token })).error, 'invalid_dpop_proof')
  assert.equal((await refused({ token, scheme: 'Bearer' })).error, 'invalid_token')
  assert.equal((await refused({ token, scheme: 'Bearer', proof: await holder.prove(token) })).error, 'invalid_token')
})

test('Proofs: a token that is bound to no key is no token of this kind', async () => {
  const token = await issuer.sign({})
  assert.equal((await refused({ token, proof: await holder.prove(token) })).error, 'invalid_token')
})

test('Proofs: a proof counts once', async () => {
  const token = await bound()
  const proof = await holder.prove(token)
  await admitted({ token, proof })
  assert.match((await refused({ token, proof })).message, /used before/)
})

test('Proofs: a proof counts once for as long as it is fresh, also one from a clock that is ahead', async () => {
  // whenever that is: what is remembered is tidied up in between
  for (let start = 0; start < 10; start++) {
    now += 7_000
    const token = await issuer.sign({ cnf: { jkt: holder.thumbprint }, exp: Math.floor(now / 1_000) + 300 })
    const proof = await holder.prove(token, { iat: Math.floor(now / 1_000) + 5 })
    await admitted({ token, proof })
    for (let count = 0; count < 13; count++) {
      now += 5_000
      assert.match((await refused({ token, proof })).message, /used before/)
    }
    now += 10_000
    assert.match((await refused({ token, proof })).message, /too old/)
  }
})

test('Proofs: the same name by two holders is two proofs', async () => {
  const other = await makeHolder(resource, () => now)
  const [mine, theirs] = [await bound(), await issuer.sign({ cnf: { jkt: other.thumbprint }, exp: now })]
  await admitted({ token: mine, proof: await holder.prove(mine, { jti: 'one' }) })
  await admitted({ token: theirs, proof: await other.prove(theirs, { jti: 'one' }) })
})

const wrong: { readonly [what: string]: (token: string) => Promise<string> } = {
  'of another holder': (token) => thief.prove(token),
  'of another holder who shows the right key': (token) => thief.prove(token, {}, { jwk: holder.publicJwk }),
  'for another method': (token) => holder.prove(token, { htm: 'GET' }),
  'for no method': (token) => holder.prove(token, { htm: undefined }),
  'for another server': (token) => holder.prove(token, { htu: 'http://127.0.0.1:1235/mcp' }),
  'for another path': (token) => holder.prove(token, { htu: `${resource}2` }),
  'for the origin': (token) => holder.prove(token, { htu: 'http://127.0.0.1:1234' }),
  'for no address': (token) => holder.prove(token, { htu: undefined }),
  'for another token': async (token) => holder.prove(`${token}x`),
  'for no token': (token) => holder.prove(token, { ath: undefined }),
  'that is too old': (token) => holder.prove(token, { iat: Math.floor(now / 1_000) - 66 }),
  'from the future': (token) => holder.prove(token, { iat: Math.floor(now / 1_000) + 6 }),
  'without a time': (token) => holder.prove(token, { iat: undefined } as never),
  'without a name': (token) => holder.prove(token, { jti: undefined } as never),
  'with too long a name': (token) => holder.prove(token, { jti: 'j'.repeat(257) }),
  'of another type': (token) => holder.prove(token, {}, { typ: 'jwt' }),
  'that tells its private key': (token) => holder.prove(token, {}, { jwk: holder.privateJwk }),
  'without a key': (token) => holder.prove(token, {}, { jwk: undefined }),
  'with a key that makes no sense': (token) => holder.prove(token, {}, { jwk: { ...holder.publicJwk, x: 'AAAA' } }),
  'that is two': async (token) => `${await holder.prove(token)}, ${await holder.prove(token)}`,
  'that is none': async () => 'nothing',
}

for (const [what, make] of Object.entries(wrong)) {
  test(`Proofs: a proof ${what} is refused`, async () => {
    const token = await bound()
    assert.equal((await refused({ token, proof: await make(token) })).error, 'invalid_dpop_proof')
  })
}

test('Proofs: the address may carry a query, spell the host in capitals, and be that of another path here', async () => {
  for (const htu of [`${resource}?a=1#b`, resource.replace('http', 'HTTP')]) {
    const token = await bound()
    await admitted({ token, proof: await holder.prove(token, { htu }) })
  }
  const token = await bound()
  await admitted({ token, path: '/sse', proof: await holder.prove(token, { htu: 'http://127.0.0.1:1234/sse' }) })
})

test('Proofs: where proofs are required, others are told so', async () => {
  const strict = gateWith({ required: true })
  const away = await strict.authenticate({ method: 'POST', path: '/mcp', header: () => undefined })
  assert.ok('status' in away)
  assert.match(away.headers['www-authenticate'] ?? '', /^DPoP .*algs="ES256 /)
  assert.equal(
    (await refused({ token: await issuer.sign({ exp: now }), scheme: 'Bearer' }, strict)).error,
    'invalid_token',
  )
  const { dpop_bound_access_tokens_required: required, dpop_signing_alg_values_supported: algorithms } = JSON.parse(
    [...strict.documents.values()][0] ?? '',
  )
  assert.deepEqual([required, algorithms[0]], [true, 'ES256'])
})

test('Proofs: an algorithm that was not named is refused', async () => {
  const token = await bound()
  const strict = gateWith({ algorithms: ['PS256'] })
  assert.equal((await refused({ token, proof: await holder.prove(token) }, strict)).error, 'invalid_dpop_proof')
})

test('Proofs: a nonce is asked for, taken for a while, and replaced in time', async () => {
  const strict = gateWith({ nonce: true, nonceMs: 100_000 })
  const token = await bound()
  const first = await refused({ token, proof: await holder.prove(token) }, strict)
  assert.equal(first.error, 'use_dpop_nonce')
  const nonce = first.headers['dpop-nonce']
  assert.deepEqual((await admitted({ token, proof: await holder.prove(token, { nonce }) }, strict)).headers, {})
  now += 50_000
  const { headers } = await admitted({ token, proof: await holder.prove(token, { nonce }) }, strict)
  assert.ok(headers['dpop-nonce'])
  assert.notEqual(headers['dpop-nonce'], nonce)
  now += 50_000
  const late = await refused({ token, proof: await holder.prove(token, { nonce }) }, strict)
  assert.equal(late.error, 'use_dpop_nonce')
  await admitted({ token, proof: await holder.prove(token, { nonce: late.headers['dpop-nonce'] }) }, strict)
})

test('Proofs: a nonce of another server is refused, unless it has the same key', async () => {
  const keys = ['a key for tests, of thirty-two characters and more']
  const [one, other, stranger] = [
    gateWith({ nonce: true, keys }),
    gateWith({ nonce: true, keys }),
    gateWith({ nonce: true }),
  ]
  const token = await bound()
  const { headers } = await refused({ token, proof: await holder.prove(token) }, one)
  const nonce = headers['dpop-nonce']
  await admitted({ token, proof: await holder.prove(token, { nonce }) }, other)
  for (const guess of [nonce, '', 'v1.', 7]) {
    const away = await refused({ token, proof: await holder.prove(token, { nonce: guess }) }, stranger)
    assert.equal(away.error, 'use_dpop_nonce')
  }
})

test('Proofs: while as many are remembered as allowed, every new one fails as an error of the server', async () => {
  const small = gateWith({}, { maxProofsRemembered: 2 })
  const token = await bound()
  await admitted({ token, proof: await holder.prove(token) }, small)
  await admitted({ token, proof: await holder.prove(token) }, small)
  const proof = await holder.prove(token)
  await assert.rejects(show({ token, proof }, small), ({ cause }: Error) => /too many/.test(String(cause)))
  now += 140_000
  await admitted({ token, proof: await holder.prove(token) }, small)
})

test('Proofs: a proof that one process took is refused by another that shares what was used', async () => {
  const used = memoryCluster().proofs
  const [one, other] = [gateWith({ used }), gateWith({ used })]
  const token = await bound()
  const proof = await holder.prove(token)
  await admitted({ token, proof }, one)
  assert.match((await refused({ token, proof }, other)).message, /The proof was used before/)
})

test('Proofs: a store that fails is no fault of the proof, so that there is no challenge but an error', async () => {
  const used = { use: () => Promise.reject(new Error('connection refused')) }
  const token = await bound()
  const shown = { token, proof: await holder.prove(token) }
  const isStore = ({ cause }: Error) => (cause as Error).message === 'connection refused'
  await assert.rejects(show(shown, gateWith({ used })), isStore)
})
