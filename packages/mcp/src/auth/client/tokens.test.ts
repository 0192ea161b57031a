import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt } from 'jose'
import { type CarriedAnswer, carried } from '../../../test/auth/carried.ts'
import { secretAuthentication } from './client-authentication.ts'
import { DpopKey } from './dpop-key.ts'
import { exchange, type TokenEndpoint, tokenRequest, tokensOf } from './tokens.ts'

const server = { issuer: 'https://auth.example.com', token_endpoint: 'https://auth.example.com/token' }
const grant = {
  type: 'refresh_token',
  parameters: { refresh_token: 'secret-token', resource: 'https://mcp.example.com' },
}

function endpoint(answer: CarriedAnswer, more: Partial<TokenEndpoint> = {}) {
  const network = carried(answer)
  return { ...secretAuthentication({ clientId: 'a' }, server), server, network, action: 'test', ...more }
}

const given = (more: object = {}) => Response.json({ access_token: 't', token_type: 'Bearer', ...more })

test('tokenRequest: posts the grant, who asks, and nothing else', async () => {
  const at = endpoint(() => given())
  await tokenRequest(at, grant)
  const [sent] = (at.network as ReturnType<typeof carried>).sent
  assert.equal(`${sent?.method} ${sent?.url}`, 'POST https://auth.example.com/token')
  const body = Object.fromEntries(new URLSearchParams(sent?.body))
  assert.deepEqual(body, { ...grant.parameters, grant_type: 'refresh_token', client_id: 'a' })
  assert.deepEqual(Object.keys(sent?.headers ?? {}).sort(), ['accept', 'content-type', 'user-agent'])
})

for (const address of [
  'https://10.0.0.1/token',
  'http://auth.example.com/token',
  'file:///x',
  'https://user@auth.example.com/',
]) {
  test(`exchange: sends nothing to ${address}`, async () => {
    const at = endpoint(() => assert.fail(), { server: { ...server, token_endpoint: address } })
    await assert.rejects(exchange(at, grant), { code: 'Unauthorized' })
  })
}

test('exchange: follows no redirect', async () => {
  const at = endpoint(() => new Response(null, { status: 307, headers: { location: 'https://evil.example/' } }))
  await assert.rejects(exchange(at, grant), { problem: 'address' })
})

test('exchange: hands over what the server gives', async () => {
  const at = endpoint(() => given({ refresh_token: 'r', expires_in: 60, scope: 'a b' }))
  const { access_token, refresh_token, expires_in, scope } = await exchange(at, grant)
  assert.deepEqual([access_token, refresh_token, expires_in, scope], ['t', 'r', 60, 'a b'])
})

const malformed = [
  { access_token: '' },
  { access_token: 7 },
  { access_token: 'a\r\nb' },
  { access_token: 'a b' },
  { access_token: 'ä' },
]

for (const document of [
  ...malformed,
  { token_type: 'mac' },
  { expires_in: 'soon' },
  { refresh_token: 7 },
  { scope: [] },
]) {
  test(`exchange: ${JSON.stringify(document)} is not what was asked for`, async () => {
    await assert.rejects(
      exchange(
        endpoint(() => given(document)),
        grant,
      ),
      { problem: 'invalid' },
    )
  })
}

for (const answer of [() => new Response('<html>'), () => new Response('', { status: 500 }), () => Response.json([])]) {
  test('exchange: an answer that is none fails', async () => {
    await assert.rejects(exchange(endpoint(answer), grant), { problem: 'invalid' })
  })
}

test('exchange: says why the server refused, and repeats nothing of what was sent', async () => {
  const document = { error: 'invalid_grant', error_description: 'secret-token is not known' }
  const refused = exchange(
    endpoint(() => Response.json(document, { status: 400 })),
    grant,
  )
  await assert.rejects(refused, (error: Error & { error?: string; problem?: string }) => {
    assert.deepEqual([error.problem, error.error], ['refused', 'invalid_grant'])
    assert.match(error.message, /"invalid_grant", \[secret\] is not known$/)
    return !JSON.stringify([error, error.cause, error.stack]).includes('secret-token')
  })
})

test('exchange: understands a refusal that comes with a challenge', async () => {
  const headers = { 'www-authenticate': 'Basic realm="x"' }
  const spoken = () => Response.json({ error: 'invalid_client' }, { status: 401, headers })
  await assert.rejects(exchange(endpoint(spoken), grant), { error: 'invalid_client' })
  const silent = () =>
    new Response('', { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } })
  await assert.rejects(exchange(endpoint(silent), grant), { error: 'invalid_token' })
})

test('exchange: proves possession, and again with the number that the server wants to see', async () => {
  const proofs: string[] = []
  const at = endpoint(
    ({ headers }) => {
      proofs.push(headers.dpop ?? '')
      if (proofs.length > 1) return given({ token_type: 'DPoP' })
      return Response.json({ error: 'use_dpop_nonce' }, { status: 400, headers: { 'dpop-nonce': 'n-1' } })
    },
    { proof: await DpopKey.from() },
  )
  await exchange(at, grant)
  assert.deepEqual(
    proofs.map((proof) => decodeJwt(proof).nonce),
    [undefined, 'n-1'],
  )
})

test('exchange: a number that is never right is tried once more only', async () => {
  let asked = 0
  const nonce = () =>
    Response.json({ error: 'use_dpop_nonce' }, { status: 400, headers: { 'dpop-nonce': `${++asked}` } })
  await assert.rejects(exchange(endpoint(nonce, { proof: await DpopKey.from() }), grant), { error: 'use_dpop_nonce' })
  assert.equal(asked, 2)
})

test('exchange: a token that is not bound although it should be is not taken, nor the other way round', async () => {
  const proof = await DpopKey.from()
  await assert.rejects(
    exchange(
      endpoint(() => given(), { proof }),
      grant,
    ),
    { problem: 'invalid' },
  )
  await assert.rejects(
    exchange(
      endpoint(() => given({ token_type: 'DPoP' })),
      grant,
    ),
    { problem: 'invalid' },
  )
})

test('tokensOf: keeps what is needed later', async () => {
  const proof = await DpopKey.from()
  const answer = { access_token: 't', token_type: 'bearer', refresh_token: 'r', expires_in: 60, scope: 'a' } as const
  const tokens = tokensOf(answer, { proof, now: () => 1_000 }, ['a', 'b'])
  const expected = {
    accessToken: 't',
    refreshToken: 'r',
    expiresAt: 61_000,
    lastsMs: 60_000,
    requested: ['a', 'b'],
    granted: ['a'],
    key: proof.jwk,
  }
  assert.deepEqual(tokens, expected)
})

test('tokensOf: scopes that are not mentioned were given', () => {
  const tokens = tokensOf({ access_token: 't', token_type: 'bearer' }, { proof: undefined, now: () => 0 }, ['a'])
  assert.deepEqual(tokens, { accessToken: 't', requested: ['a'], granted: ['a'] })
})
