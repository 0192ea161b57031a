import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { type DevServer, type DevServerOptions, devServer } from './dev-server.ts'

const resource = 'https://mcp.example/mcp'
const redirectUri = 'http://127.0.0.1:3000/callback'
const laptop = { clientId: 'laptop', redirectUris: [redirectUri, 'https://app.example/back'] }
const backend = { clientId: 'back end', clientSecret: 's:e%c', redirectUris: [redirectUri] }

function start(options: DevServerOptions = {}): Promise<DevServer> {
  return devServer({ clients: [laptop, backend], warn: () => {}, ...options })
}

const verifier = randomBytes(32).toString('base64url')
const good = {
  response_type: 'code',
  client_id: 'laptop',
  redirect_uri: redirectUri,
  state: 'st',
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
  resource,
  scope: 'read write',
}
type Asked = { readonly [name: string]: string | undefined }

function form(parameters: Asked): URLSearchParams {
  return new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** Asks for a code as a browser does. */
async function authorize({ issuer }: DevServer, change: Asked = {}) {
  const response = await fetch(`${issuer}/authorize?${form({ ...good, ...change })}`, { redirect: 'manual' })
  const location = response.headers.get('location')
  return {
    status: response.status,
    back: location === null ? undefined : new URL(location),
    text: await response.text(),
  }
}

/** Asks for tokens as a client does. */
async function token({ issuer }: DevServer, parameters: Asked, headers: Record<string, string> = {}) {
  const response = await fetch(`${issuer}/token`, { method: 'POST', headers, body: form(parameters) })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, string> }
}

const exchange = {
  grant_type: 'authorization_code',
  client_id: 'laptop',
  redirect_uri: redirectUri,
  code_verifier: verifier,
}

async function signIn(server: DevServer, change: Asked = {}) {
  const { back } = await authorize(server, change)
  return token(server, { ...exchange, code: back?.searchParams.get('code') ?? '' })
}

const refresh = (server: DevServer, refreshToken: string | undefined, change: Asked = {}) =>
  token(server, { grant_type: 'refresh_token', client_id: 'laptop', refresh_token: refreshToken, ...change })

test('devServer: from the authorization request to a token that can be verified with its public keys', async () => {
  await using server = await start()
  const metadata = await (await fetch(`${server.issuer}/.well-known/oauth-authorization-server`)).json()
  assert.equal(metadata.issuer, server.issuer)
  const { status, back } = await authorize(server)
  assert.equal(status, 302)
  assert.equal(`${back?.origin}${back?.pathname}`, redirectUri)
  assert.deepEqual([...(back?.searchParams.keys() ?? [])].sort(), ['code', 'iss', 'state'])
  assert.deepEqual([back?.searchParams.get('iss'), back?.searchParams.get('state')], [server.issuer, 'st'])
  const answer = await token(server, { ...exchange, resource, code: back?.searchParams.get('code') ?? '' })
  assert.deepEqual(
    [answer.status, answer.headers.get('cache-control'), answer.body.token_type],
    [200, 'no-store', 'Bearer'],
  )
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri))
  const { payload, protectedHeader } = await jwtVerify(answer.body.access_token ?? '', keys, {
    issuer: server.issuer,
    audience: resource,
  })
  assert.deepEqual(
    [payload.sub, payload.client_id, payload.scope, protectedHeader.typ],
    ['developer', 'laptop', 'read write', 'at+jwt'],
  )
})

test('devServer: it says loudly that it is not for production, and does not start there', async () => {
  let said = ''
  await using _server = await start({ warn: (warning) => (said = warning) })
  assert.match(said, /NOT FOR PRODUCTION/)
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  try {
    await assert.rejects(start(), { code: 'Misuse' })
  } finally {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
})

const nowhere: { readonly [what: string]: Asked } = {
  'a client that is not known': { client_id: 'nobody' },
  'no client': { client_id: undefined },
  'no address': { redirect_uri: undefined },
  'the address of another site': { redirect_uri: 'https://evil.example/back' },
  'an address that starts like that of the client': { redirect_uri: 'https://app.example/back.evil.example' },
  'an address with more in it': { redirect_uri: 'https://app.example/back?x=1' },
  'another port, not on this machine': { redirect_uri: 'https://app.example:444/back' },
  'another path on this machine': { redirect_uri: 'http://127.0.0.1:3000/other' },
  'this machine by a name that others can have': { redirect_uri: 'http://localhost:3000/callback' },
}

for (const [what, change] of Object.entries(nowhere)) {
  test(`authorize: ${what}: the browser is sent nowhere`, async () => {
    await using server = await start()
    const { status, back } = await authorize(server, change)
    assert.deepEqual([status, back], [400, undefined])
  })
}

test('authorize: a parameter that appears twice is refused, but for the resources', async () => {
  await using server = await start()
  const ask = async (more: string) =>
    (await fetch(`${server.issuer}/authorize?${form(good)}&${more}`, { redirect: 'manual' })).status
  assert.deepEqual(
    [await ask('state=2'), await ask('scope=x'), await ask('resource=https://b.example')],
    [400, 400, 302],
  )
})

test('authorize: on this machine any port will do', async () => {
  await using server = await start()
  const { back } = await authorize(server, { redirect_uri: 'http://127.0.0.1:4711/callback' })
  assert.equal(back?.host, '127.0.0.1:4711')
})

const errors: { readonly [error: string]: readonly Asked[] } = {
  unsupported_response_type: [{ response_type: 'token' }],
  invalid_request: [
    { response_type: undefined },
    { code_challenge: undefined },
    { code_challenge_method: undefined },
    { code_challenge_method: 'plain' },
    { code_challenge: 'short' },
  ],
  invalid_scope: [{ scope: 'read admin' }],
  invalid_target: [{ resource: 'mcp' }, { resource: `${resource}#part` }],
  access_denied: [{ resource: 'https://forbidden.example' }],
}

for (const [error, changes] of Object.entries(errors)) {
  test(`authorize: "${error}" goes back to the client, with who says so`, async () => {
    const approve = ({ resources }: { resources: readonly string[] }) =>
      !resources.includes('https://forbidden.example')
    await using server = await start({ scopes: ['read', 'write'], approve })
    for (const change of changes) {
      const { status, back } = await authorize(server, change)
      const { searchParams } = back ?? new URL('about:blank')
      const told = ['error', 'iss', 'state', 'code'].map((name) => searchParams.get(name))
      assert.deepEqual([status, ...told], [302, error, server.issuer, 'st', null])
    }
  })
}

test('token: a code is good for its client, its address and its verifier only, and once', async () => {
  await using server = await start()
  const wrong: Asked[] = [
    { client_id: 'https://other.example/client.json' },
    { redirect_uri: 'https://app.example/back' },
    { code_verifier: `${verifier}x` },
    { code: 'guessed' },
  ]
  for (const change of wrong) {
    const code = (await authorize(server)).back?.searchParams.get('code') ?? ''
    const refused = await token(server, { ...exchange, code, ...change })
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant'], JSON.stringify(change))
    // a failed try has used it up
    if (!change.code) assert.equal((await token(server, { ...exchange, code })).body.error, 'invalid_grant')
  }
})

test('token: a code that comes back ends what it was exchanged for', async () => {
  await using server = await start()
  const code = (await authorize(server)).back?.searchParams.get('code') ?? ''
  const first = await token(server, { ...exchange, code })
  assert.equal((await token(server, { ...exchange, code })).body.error, 'invalid_grant')
  assert.equal((await refresh(server, first.body.refresh_token)).body.error, 'invalid_grant')
})

test('token: a code is good for a while', async () => {
  let now = Date.now()
  await using server = await start({ codeMs: 1_000, now: () => now })
  const code = (await authorize(server)).back?.searchParams.get('code') ?? ''
  now += 1_000
  assert.equal((await token(server, { ...exchange, code })).body.error, 'invalid_grant')
})

test('token: a missing or unknown parameter is refused by its error code', async () => {
  await using server = await start()
  for (const name of ['grant_type', 'code_verifier', 'redirect_uri', 'client_id']) {
    const { status, body } = await token(server, { ...exchange, code: 'c', [name]: undefined })
    assert.deepEqual([status, body.error], [400, 'invalid_request'], name)
  }
  assert.equal((await token(server, { ...exchange, grant_type: 'password' })).body.error, 'unsupported_grant_type')
})

test('token: a refresh token is replaced each time, and one that comes back ends the family', async () => {
  await using server = await start()
  const first = await signIn(server)
  const second = await refresh(server, first.body.refresh_token)
  assert.equal(decodeJwt(second.body.access_token ?? '').aud, resource)
  assert.notEqual(second.body.refresh_token, first.body.refresh_token)
  const third = await refresh(server, second.body.refresh_token)
  assert.equal(third.status, 200)
  assert.equal((await refresh(server, first.body.refresh_token)).body.error, 'invalid_grant')
  assert.equal((await refresh(server, third.body.refresh_token)).body.error, 'invalid_grant')
})

test('token: a refresh token is good for its client only, and for a while', async () => {
  let now = Date.now()
  await using server = await start({ refreshMs: 1_000, now: () => now })
  const { refresh_token: own } = (await signIn(server)).body
  const other = await refresh(server, own, { client_id: 'https://other.example/client.json' })
  assert.equal(other.body.error, 'invalid_grant')
  const next = await refresh(server, own)
  assert.equal(next.status, 200)
  now += 1_000
  assert.equal((await refresh(server, next.body.refresh_token)).body.error, 'invalid_grant')
})

test('token: less can be asked for than was allowed, but not more, and that costs nothing', async () => {
  await using server = await start()
  const { refresh_token: own } = (await signIn(server)).body
  assert.equal((await refresh(server, own, { scope: 'read admin' })).body.error, 'invalid_scope')
  assert.equal((await refresh(server, own, { resource: 'https://b.example' })).body.error, 'invalid_target')
  const less = await refresh(server, own, { scope: 'read' })
  assert.deepEqual([less.body.scope, decodeJwt(less.body.access_token ?? '').scope], ['read', 'read'])
})

test('token: one for no server in particular is for none that we know', async () => {
  await using server = await start()
  const { body } = await signIn(server, { resource: undefined })
  assert.equal(decodeJwt(body.access_token ?? '').aud, server.issuer)
})

test('token: a client that has a secret shows it, either way', async () => {
  await using server = await start()
  const code = async () => (await authorize(server, { client_id: 'back end' })).back?.searchParams.get('code') ?? ''
  const { client_id: _, ...rest } = exchange
  const basic = (text: string) => ({ authorization: `Basic ${btoa(text)}` })
  const asked = async (parameters: Asked, headers?: Record<string, string>) =>
    (await token(server, { ...rest, code: await code(), ...parameters }, headers)).status
  assert.equal(await asked({ client_id: 'back end', client_secret: 's:e%c' }), 200)
  assert.equal(await asked({}, basic('back+end:s%3Ae%25c')), 200)
  assert.equal(await asked({ client_id: 'back end' }), 401)
  assert.equal(await asked({ client_id: 'back end', client_secret: 'guess' }), 401)
  assert.equal(await asked({}, basic('back+end:guess')), 401)
  assert.equal(await asked({}, basic('back+end:%zz')), 401)
  assert.equal(await asked({ client_id: 'laptop', client_secret: 'too much' }), 401)
})

/** A client that describes itself. */
async function described(document: (url: string) => unknown, status = 200) {
  const server = createServer((_, response) => {
    const body = document(url)
    response.writeHead(status, { location: '/elsewhere' }).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/client.json`
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const about = (url: string) => ({ client_id: url, client_name: 'Phone', redirect_uris: [redirectUri] })

test('Clients: a client may describe itself at the URL that is its name', async () => {
  await using server = await start()
  await using phone = await described(about)
  const { back } = await authorize(server, { client_id: phone.url })
  const code = back?.searchParams.get('code') ?? ''
  const { body } = await token(server, { ...exchange, client_id: phone.url, code })
  assert.equal(decodeJwt(body.access_token ?? '').client_id, phone.url)
  assert.equal(
    (await authorize(server, { client_id: phone.url, redirect_uri: 'https://app.example/back' })).status,
    400,
  )
})

const descriptions: { readonly [what: string]: [document: (url: string) => unknown, status?: number] } = {
  'another client': [(url) => ({ ...about(url), client_id: 'https://other.example/client.json' })],
  'no client': [() => ({})],
  nothing: [() => 'nothing'],
  'a client without a name': [(url) => ({ ...about(url), client_name: undefined })],
  'a client without addresses': [(url) => ({ ...about(url), redirect_uris: redirectUri })],
  'a secret': [(url) => ({ ...about(url), client_secret: 's' })],
  'too much': [(url) => ({ ...about(url), padding: 'x'.repeat(70_000) })],
  'another place': [about, 302],
  'an error': [about, 404],
}

for (const [what, [document, status]] of Object.entries(descriptions)) {
  test(`Clients: a document that tells of ${what} is not believed`, async () => {
    await using server = await start()
    await using phone = await described(document, status)
    assert.deepEqual((await authorize(server, { client_id: phone.url })).status, 400)
  })
}

for (const name of [
  'http://example.com/a',
  'https://example.com',
  'https://example.com/',
  'ftp://example.com/a',
  'https://a@example.com/a',
  'https://example.com/a#b',
  'https://example.com/a/../b',
  'https://169.254.169.254/a',
  'https://10.0.0.1/a',
]) {
  test(`Clients: "${name}" is no name of a client`, async () => {
    await using server = await start()
    assert.equal((await authorize(server, { client_id: name })).status, 400)
  })
}

test('Grants: as many are remembered as allowed, and the oldest give way', async () => {
  await using server = await start({ limits: { maxGrants: 2 } })
  const first = (await authorize(server)).back?.searchParams.get('code') ?? ''
  for (let count = 0; count < 3; count++) assert.equal((await signIn(server)).status, 200)
  assert.equal(server.live, 4)
  assert.equal((await token(server, { ...exchange, code: first })).body.error, 'invalid_grant')
})

test('listen: a request that is too large, or addressed to another host, is refused', async () => {
  await using server = await start()
  const large = await fetch(`${server.issuer}/token`, { method: 'POST', body: 'x'.repeat(70_000) })
  assert.equal(large.status, 413)
  const { port } = new URL(server.issuer)
  const sending = request({ host: '127.0.0.1', port, path: '/jwks', headers: { host: 'evil.test' } }).end()
  const [response] = await once(sending, 'response')
  response.resume()
  assert.equal(response.statusCode, 403)
})

test('devServer: there is nothing else', async () => {
  await using server = await start()
  for (const path of ['/', '/toString', '/token', '/admin'])
    assert.equal((await fetch(`${server.issuer}${path}`)).status, 404)
})
