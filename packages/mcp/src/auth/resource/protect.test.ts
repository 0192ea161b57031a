import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { SignJWT } from 'jose'
import { startIssuer } from '../../../test/fixtures/issuer.ts'
import { demandOf } from '../shared/parse-challenge.ts'
import type { AuthenticatedCaller, Authenticator, AuthRefusal, AuthRequest } from './authenticator.ts'
import { type ProtectOptions, protect } from './protect.ts'

const resource = 'http://127.0.0.1:1234/mcp'
const issuer = await startIssuer(resource)
after(() => issuer[Symbol.asyncDispose]())

const gate = gateWith()

function gateWith(options: Partial<ProtectOptions> = {}): Authenticator {
  return protect({ issuer: issuer.url, resource, ...options })
}

function visitor(authorization?: string): AuthRequest {
  return { method: 'POST', path: '/mcp', header: (name) => (name === 'authorization' ? authorization : undefined) }
}

async function admitted(token: string, at = gate): Promise<AuthenticatedCaller> {
  const found = await at.authenticate(visitor(`Bearer ${token}`))
  assert.ok(!('status' in found), 'status' in found ? found.message : '')
  return found
}

async function turnedAway(authorization?: string, at = gate): Promise<AuthRefusal> {
  const found = await at.authenticate(visitor(authorization))
  assert.ok('status' in found)
  return found
}

const pathsOf = ({ documents }: Authenticator) => [...documents.keys()]

const documentOf = ({ documents }: Authenticator, path = '/.well-known/oauth-protected-resource') =>
  JSON.parse(documents.get(path) ?? '')

const challengeOf = ({ headers }: AuthRefusal) => demandOf(headers['www-authenticate'] ?? null)
const seconds = () => Math.floor(Date.now() / 1_000)

test('protect: a good token is admitted, with who is calling and what they may do', async () => {
  const guest = await admitted(await issuer.sign({ scope: 'read write' }))
  assert.equal(guest.principal, JSON.stringify([issuer.url, 'ann', 'laptop']))
  assert.deepEqual(guest.scopes, ['read', 'write'])
  assert.equal(guest.claims.sub, 'ann')
  assert.equal(guest.expiresAt, (guest.claims.exp as number) * 1_000)
})

test('protect: a request without a token is told where to get one, and no error', async () => {
  for (const authorization of [undefined, '', 'Basic YTpi', 'Bearer']) {
    const away = await turnedAway(authorization)
    assert.equal(away.status, 401)
    const { error, resourceMetadata, schemes } = challengeOf(away)
    assert.deepEqual(
      [error, resourceMetadata],
      [undefined, 'http://127.0.0.1:1234/.well-known/oauth-protected-resource/mcp'],
    )
    assert.deepEqual([...schemes], ['bearer'])
  }
})

test('protect: audience: other, missing, prefix, sibling and parent are refused, with the reason', async () => {
  const others = ['https://other.example/mcp', undefined, `${resource}2`, `${resource}/`, resource.slice(0, -1)]
  const more = ['http://127.0.0.1:1234', 'http://127.0.0.1:1234/', resource.toUpperCase(), '', issuer.url]
  for (const aud of [...others, ...more, [], ['https://other.example'], [`${resource}2`, 'laptop']]) {
    const away = await turnedAway(`Bearer ${await issuer.sign({ aud: aud as string })}`)
    assert.deepEqual([away.status, challengeOf(away).error], [401, 'invalid_token'], JSON.stringify(aud))
    assert.match(away.message, /not issued for this server/)
  }
})

test('protect: audience: a list that names this server is enough', async () => {
  await admitted(await issuer.sign({ aud: ['https://other.example', resource] }))
})

test('protect: audience: a server without a path is known with and without the last slash', async () => {
  const root = gateWith({ resource: 'http://127.0.0.1:1234/' })
  await admitted(await issuer.sign({ aud: 'http://127.0.0.1:1234' }), root)
  await admitted(await issuer.sign({ aud: 'http://127.0.0.1:1234/' }), root)
  assert.equal((await turnedAway(`Bearer ${await issuer.sign({ aud: resource })}`, root)).status, 401)
})

test('protect: audience: another name can be given instead', async () => {
  const named = gateWith({ audience: 'urn:weather' })
  await admitted(await issuer.sign({ aud: 'urn:weather' }), named)
  assert.equal((await turnedAway(`Bearer ${await issuer.sign({})}`, named)).status, 401)
})

const bad: { readonly [what: string]: () => Promise<string> } = {
  expired: () => issuer.sign({ exp: seconds() - 60 }),
  'without an end': () => issuer.sign({ exp: undefined } as never),
  'not valid yet': () => issuer.sign({ nbf: seconds() + 60 }),
  'of another issuer': () => issuer.sign({ iss: 'https://other.example' }),
  'of an issuer that is almost the right one': () => issuer.sign({ iss: `${issuer.url}/` }),
  'without an issuer': () => issuer.sign({ iss: undefined } as never),
  'without a subject': () => issuer.sign({ sub: undefined, client_id: undefined } as never),
  'of an unknown key': () => issuer.sign({}, { kid: 'unknown' }),
  'of the key of another algorithm': () => issuer.sign({}, { alg: 'ES256', kid: 'RS256' }),
  'of another type': () => issuer.sign({}, { typ: 'dpop+jwt' }),
  'of another signature': async () => `${(await issuer.sign({})).slice(0, -10)}AAAAAAAAAA`,
  'without a signature': async () => unsigned({ alg: 'none' }, await claimsOf()),
  'that says it has none': async () => `${unsigned({ alg: 'none', kid: 'ES256' }, await claimsOf())}AAAA`,
  'signed with the public key as a secret': async () => {
    const secret = new TextEncoder().encode(issuer.publicPem)
    return new SignJWT(await claimsOf()).setProtectedHeader({ alg: 'HS256', kid: 'RS256' }).sign(secret)
  },
  'that is bound to a certificate': () => issuer.sign({ cnf: { 'x5t#S256': 'abc' } }),
  'that is bound to a key': () => issuer.sign({ cnf: { jkt: 'abc' } }),
  'that is none': async () => 'canary',
  'that is too long': async () => 'a'.repeat(20_000),
  'with a blank in it': async () => `${await issuer.sign({})} ${await issuer.sign({})}`,
}

for (const [what, make] of Object.entries(bad)) {
  test(`protect: a token ${what} is refused`, async () => {
    const away = await turnedAway(`Bearer ${await make()}`)
    assert.deepEqual([away.status, challengeOf(away).error], [401, 'invalid_token'])
  })
}

async function claimsOf() {
  const [, payload = ''] = (await issuer.sign({})).split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}

function unsigned(header: object, payload: object): string {
  return `${[header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`
}

test('protect: the public key does not become a secret, even when HS256 is the only thing allowed', async () => {
  const odd = gateWith({ algorithms: ['HS256'] })
  assert.equal((await turnedAway(`Bearer ${await bad['signed with the public key as a secret']?.()}`, odd)).status, 401)
})

test('protect: only the algorithms that were named are taken', async () => {
  const strict = gateWith({ algorithms: ['RS256'] })
  await admitted(await issuer.sign({}, { alg: 'RS256' }), strict)
  assert.equal((await turnedAway(`Bearer ${await issuer.sign({})}`, strict)).status, 401)
})

test('protect: a token ends when it says, also one that is remembered', async () => {
  let now = Date.now()
  const clocked = gateWith({ now: () => now, leewayMs: 1_000, rememberMs: 3_600_000 })
  const token = await issuer.sign({ exp: Math.floor(now / 1_000) + 60 })
  await admitted(token, clocked)
  now += 60_000
  await admitted(token, clocked)
  now += 2_000
  assert.match((await turnedAway(`Bearer ${token}`, clocked)).message, /expired/)
})

test('protect: the scopes that every request needs are named in the challenge and in the metadata', async () => {
  const scoped = gateWith({ scopes: ['mcp', 'read'] })
  assert.equal(challengeOf(await turnedAway(undefined, scoped)).scope, 'mcp read')
  assert.deepEqual(documentOf(scoped).scopes_supported, ['mcp', 'read'])
  const away = await turnedAway(`Bearer ${await issuer.sign({ scope: 'mcp' })}`, scoped)
  assert.deepEqual(
    [away.status, challengeOf(away).error, challengeOf(away).scope],
    [403, 'insufficient_scope', 'mcp read'],
  )
  await admitted(await issuer.sign({ scope: 'read other mcp' }), scoped)
})

test('protect: scopes are read by either name, as text or as a list', async () => {
  assert.deepEqual((await admitted(await issuer.sign({ scp: ['a', 'b'] }))).scopes, ['a', 'b'])
  assert.deepEqual((await admitted(await issuer.sign({ scp: 'a b', scope: 'c' }))).scopes, ['c', 'a', 'b'])
})

test('protect: a broad scope brings the narrow ones with it, and theirs', async () => {
  const implied = { admin: ['write'], write: ['read', 'admin'], constructor: [] }
  const guest = await admitted(await issuer.sign({ scope: 'admin toString' }), gateWith({ implied }))
  assert.deepEqual(guest.scopes, ['admin', 'toString', 'write', 'read'])
})

test('protect: a guest who lacks a scope is told all that the call needs', async () => {
  const guest = await admitted(await issuer.sign({ scope: 'mcp' }), gateWith({ scopes: ['mcp'] }))
  const away = guest.challengeFor(['files:write', 'mcp', 'no"quote'])
  assert.deepEqual(
    [away.status, challengeOf(away).error, challengeOf(away).scope],
    [403, 'insufficient_scope', 'mcp files:write'],
  )
})

test('protect: keys are fetched once, and again for an unknown one only after a while', async () => {
  const fresh = gateWith()
  const before = issuer.asked.length
  await Promise.all([admitted(await issuer.sign({}), fresh), admitted(await issuer.sign({ sub: 'bob' }), fresh)])
  for (let count = 0; count < 20; count++)
    await turnedAway(`Bearer ${await issuer.sign({}, { kid: `k${count}` })}`, fresh)
  assert.deepEqual(issuer.asked.slice(before), ['GET /.well-known/oauth-authorization-server', 'GET /jwks'])
})

test('protect: an authorization server that cannot be reached is nothing the caller did wrong', async () => {
  const lost = gateWith({ jwksUri: 'http://127.0.0.1:1/jwks' })
  const token = await issuer.sign({})
  await assert.rejects(
    async () => lost.authenticate(visitor(`Bearer ${token}`)),
    ({ cause, ...error }: Error) => {
      assert.match(String(cause), /127\.0\.0\.1:1 cannot be reached/)
      return !JSON.stringify([error, String(cause), (cause as Error).stack]).includes(token)
    },
  )
})

test('protect: an authorization server that answers nonsense is asked again at the next request', async () => {
  const fresh = gateWith()
  const token = await issuer.sign({})
  issuer.status = 500
  await assert.rejects(async () => fresh.authenticate(visitor(`Bearer ${token}`)))
  issuer.status = 200
  await admitted(token, fresh)
})

test('protect: metadata that names another issuer, or no keys, is not used', async () => {
  await assert.rejects(async () =>
    gateWith({ issuer: `${issuer.url}/tenant` }).authenticate(visitor(`Bearer ${await issuer.sign({})}`)),
  )
})

test('protect: only as many tokens are remembered as allowed, and for no longer', async () => {
  let now = Date.now()
  const forgetful = gateWith({ limits: { maxTokensRemembered: 2 }, rememberMs: 10_000, now: () => now })
  const tokens = await Promise.all(['a', 'b', 'c'].map((sub) => issuer.sign({ sub })))
  const first = async (token: string) => (await admitted(token, forgetful)).claims
  const [a, b, c] = [await first(tokens[0] ?? ''), await first(tokens[1] ?? ''), await first(tokens[2] ?? '')]
  assert.equal(await first(tokens[2] ?? ''), c)
  assert.equal(await first(tokens[1] ?? ''), b)
  assert.notEqual(await first(tokens[0] ?? ''), a)
  now += 10_000
  assert.notEqual(await first(tokens[2] ?? ''), c)
})

test('protect: an invalid issuer or address is refused at once', () => {
  assert.throws(() => gateWith({ issuer: 'example' }), { code: 'Misuse' })
  assert.throws(() => gateWith({ jwksUri: '/jwks' }), { code: 'Misuse' })
  for (const address of ['example', 'https://a/mcp#x', 'https://a/mcp?x=1', 'urn:a']) {
    assert.throws(() => gateWith({ resource: address }), { code: 'Misuse' }, address)
  }
})

test('protect: an address that is told later is asked for when it is needed', async () => {
  let address: string | undefined
  const later = gateWith({
    resource: () => {
      assert.ok(address)
      return address
    },
  })
  await assert.rejects(async () => later.authenticate(visitor()))
  address = resource
  await admitted(await issuer.sign({}), later)
  assert.deepEqual(later.documents, gate.documents)
})

test('protect: metadata stands below the path of the server and at the root', () => {
  const well = '/.well-known/oauth-protected-resource'
  assert.deepEqual(pathsOf(gate), [`${well}/mcp`, well])
  assert.deepEqual(pathsOf(gateWith({ resource: 'https://a.example/one/two' })), [`${well}/one/two`, well])
  assert.deepEqual(pathsOf(gateWith({ resource: 'https://a.example' })), [well])
  const { resource: id, authorization_servers: servers, bearer_methods_supported: methods } = documentOf(gate)
  assert.deepEqual([id, servers, methods], [resource, [issuer.url], ['header']])
  assert.equal(documentOf(gateWith({ resource: 'HTTPS://A.example/' })).resource, 'https://a.example')
})

test('protect: to clients of the oldest transport the server is what they call it', async () => {
  const both = gateWith({ sse: { path: '/sse', postPath: '/messages' } })
  const metadata = '/.well-known/oauth-protected-resource'
  assert.deepEqual(
    [`${metadata}/sse`, `${metadata}/mcp`, metadata].map((path) => documentOf(both, path).resource),
    ['http://127.0.0.1:1234/sse', resource, resource],
  )
  for (const [path, own] of [
    ['/sse', 'sse'],
    ['/messages', 'sse'],
    ['/mcp', 'mcp'],
    ['/other', 'mcp'],
  ] as const) {
    const away = (await both.authenticate({ ...visitor(), path })) as AuthRefusal
    assert.equal(challengeOf(away).resourceMetadata, `http://127.0.0.1:1234${metadata}/${own}`)
  }
  await turnedAway(`Bearer ${await issuer.sign({ aud: 'http://127.0.0.1:1234/messages' })}`, both)
})

test('protect: a token counts at the address it is meant for, unless the audience is given', async () => {
  const sse = { path: '/sse', postPath: '/messages' }
  const [both, one] = [gateWith({ sse }), gateWith({ sse, audience: 'urn:one' })]
  const stream = 'http://127.0.0.1:1234/sse'
  const places = async (gates: Authenticator, aud: string | readonly string[]) => {
    const authorization = `Bearer ${await issuer.sign({ aud: aud as string })}`
    const found = ['/mcp', '/sse', '/messages'].map((path) => gates.authenticate({ ...visitor(authorization), path }))
    return (await Promise.all(found)).map((answer) => !('status' in answer))
  }
  assert.deepEqual(await places(both, resource), [true, false, false])
  assert.deepEqual(await places(both, stream), [false, true, true])
  assert.deepEqual(await places(both, [stream, resource]), [true, true, true])
  assert.deepEqual(await places(one, 'urn:one'), [true, true, true])
  assert.deepEqual(await places(one, stream), [false, false, false])
})
