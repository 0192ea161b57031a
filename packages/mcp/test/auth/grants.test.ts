import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt, exportPKCS8, generateKeyPair } from 'jose'
import '../no-leaks.ts'
import { clientCredentials, enterpriseManaged, workloadIdentity } from '../../src/auth.ts'
import { ask } from './ask.ts'
import { type Hostile, hostileServer } from './hostile-server.ts'
import { json, listening, type Seen } from './listening.ts'

const client = { clientId: 'robot', clientSecret: 'secret' }

/** Requests for tokens, in order. */
function grants({ seen }: { readonly seen: readonly Seen[] }) {
  const posts = seen.filter(({ method, url }) => method === 'POST' && url.pathname === '/token')
  return posts.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
}

test('clientCredentials: shows the secret, says what for, and is let in', async () => {
  await using server = await hostileServer({ scope: 'read', clientSecret: 'secret' })
  assert.equal((await ask(server.url, clientCredentials(client))).status, 200)
  const asked = { client_id: 'robot', grant_type: 'client_credentials', resource: server.url, scope: 'read' }
  assert.deepEqual(grants(server), [asked])
  const [post] = server.seen.filter(({ url }) => url.pathname === '/token')
  assert.equal(post?.headers.authorization, `Basic ${btoa('robot:secret')}`)
})

test('clientCredentials: signs with the key, for the issuer, anew each time', async () => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  await using server = await hostileServer()
  const authorizer = clientCredentials({ clientId: 'robot', privateKey: await exportPKCS8(privateKey) })
  await ask(server.url, authorizer)
  server.revokeAll()
  await ask(server.url, authorizer)
  const claims = grants(server).map(({ client_assertion }) => decodeJwt(client_assertion ?? ''))
  assert.deepEqual(
    claims.map(({ aud }) => aud),
    [server.issuer, server.issuer],
  )
  assert.notEqual(claims[0]?.jti, claims[1]?.jti)
})

test('clientCredentials: asks for more when more is wanted, and gives up when that does not help', async () => {
  await using server = await hostileServer({ scope: 'read' })
  const authorizer = clientCredentials(client)
  await ask(server.url, authorizer)
  server.defects.scope = 'write'
  assert.equal((await ask(server.url, authorizer)).status, 200)
  assert.deepEqual(
    grants(server).map(({ scope }) => scope),
    ['read', 'read write'],
  )
  server.defects.refuses = 403
  await assert.rejects(ask(server.url, authorizer), { error: 'insufficient_scope' })
  assert.equal(grants(server).length, 2)
})

for (const [name, way] of Object.entries({
  clientCredentials: () => clientCredentials(client),
  workloadIdentity: () => workloadIdentity({ ...client, assertion: () => 'a.b.c' }),
})) {
  test(`${name}: shows nothing to an issuer that the server names later`, async () => {
    await using server = await hostileServer()
    await using other = await hostileServer()
    const authorizer = way()
    await ask(server.url, authorizer)
    server.revokeAll()
    server.defects.issuers = [other.issuer]
    await assert.rejects(ask(server.url, authorizer), { problem: 'issuer' })
    assert.equal(grants(other).length, 0)
  })

  test(`${name}: is not tried again at once after a refusal, nor in another way`, async () => {
    await using server = await hostileServer({ tokenError: 'unauthorized_client' })
    const authorizer = way()
    for (let tries = 0; tries < 5; tries++) {
      await assert.rejects(ask(server.url, authorizer), { error: 'unauthorized_client' })
    }
    assert.equal(grants(server).length, 1)
  })
}

test('workloadIdentity: hands over what the platform says, made for the issuer', async () => {
  await using server = await hostileServer()
  const asked: string[] = []
  const assertion = async (issuer: string): Promise<string> => `jwt-${asked.push(issuer)}`
  const authorizer = workloadIdentity({ clientId: 'robot', assertion })
  await ask(server.url, authorizer)
  server.revokeAll()
  await ask(server.url, authorizer)
  assert.deepEqual(asked, [server.issuer, server.issuer])
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  const expected = { grant_type, resource: server.url, client_id: 'robot' }
  assert.deepEqual(grants(server), [
    { ...expected, assertion: 'jwt-1' },
    { ...expected, assertion: 'jwt-2' },
  ])
})

/** The identity provider of an enterprise. */
async function provider(permission: object, status = 200) {
  const seen: Seen[] = []
  const host = await listening('issuer', seen, ({ url }, response) => {
    if (url.pathname === '/token') return json(response, status, permission)
    json(response, 200, { issuer: host.origin, token_endpoint: `${host.origin}/token` })
  })
  return { seen, issuer: host.origin, [Symbol.asyncDispose]: () => host.close() }
}

const idJag = 'urn:ietf:params:oauth:token-type:id-jag'
const permitted = { access_token: 'the.permission', issued_token_type: idJag, token_type: 'N_A' }

function managed({ issuer }: { readonly issuer: string }) {
  const identity = () => ({ token: 'who.i.am' })
  return enterpriseManaged({
    ...client,
    identityProvider: { issuer, client: { clientId: 'at-the-provider' }, identity },
  })
}

test('enterpriseManaged: exchanges who the user is for a permission, and that for a token', async () => {
  await using server: Hostile = await hostileServer({ scope: 'read' })
  await using idp = await provider(permitted)
  assert.equal((await ask(server.url, managed(idp))).status, 200)
  assert.deepEqual(grants(idp), [
    {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      requested_token_type: idJag,
      subject_token: 'who.i.am',
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      audience: server.issuer,
      resource: server.url,
      scope: 'read',
      client_id: 'at-the-provider',
    },
  ])
  assert.equal(grants(server)[0]?.assertion, 'the.permission')
  assert.equal(server.count('/authorize'), 0)
})

test('enterpriseManaged: without permission nothing is asked of the authorization server', async () => {
  await using server = await hostileServer()
  await using idp = await provider({ error: 'access_denied' }, 400)
  await assert.rejects(ask(server.url, managed(idp)), { error: 'access_denied' })
  assert.equal(grants(server).length, 0)
})

test('enterpriseManaged: a token of another type is not passed on', async () => {
  await using server = await hostileServer()
  const token = 'urn:ietf:params:oauth:token-type:access_token'
  await using idp = await provider({ ...permitted, issued_token_type: token })
  await assert.rejects(ask(server.url, managed(idp)), { problem: 'invalid' })
  assert.equal(grants(server).length, 0)
})
