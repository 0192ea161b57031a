import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { exportJWK, generateKeyPair } from 'jose'
import * as oauth from 'oauth4webapi'
import { protect } from '../../src/auth-resource.ts'
import { toFetch } from '../../src/http.ts'
import { post } from '../http/raw.ts'
import { alone } from './messages.ts'
import { address, vault } from './vault.ts'

// it comes without types
const { default: Provider } = (await import('oidc-provider' as string)) as {
  readonly default: new (issuer: string, configuration: object) => { callback(): RequestListener }
}

const clients = ['machine', 'weather'].map((client_id) => ({
  client_id,
  client_secret: `secret of ${client_id}`,
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
}))

/** An authorization server that we did not write, which gives tokens of one format to machines. */
async function startProvider(accessTokenFormat: 'jwt' | 'opaque') {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const configuration = {
    clients,
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'one' }] },
    cookies: { keys: ['a key for tests'] },
    scopes: ['vault:open', 'vault:take'],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      dPoP: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context: unknown, audience: string) => ({
          scope: 'vault:open vault:take',
          audience,
          accessTokenFormat,
          ...(accessTokenFormat === 'jwt' && { jwt: { sign: { alg: 'RS256' } } }),
        }),
      },
    },
  }
  const provider = new Provider(issuer, configuration)
  server.on('request', provider.callback())
  return {
    issuer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const insecure = { [oauth.allowInsecureRequests]: true }

/** Gets a token as a client that we did not write either. */
async function tokenFrom(issuer: string, wanted: Record<string, string>, proof?: oauth.DPoPHandle) {
  const url = new URL(issuer)
  const server = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, insecure))
  const client = { client_id: 'machine' }
  const options = { ...insecure, ...(proof && { DPoP: proof }) }
  const authentication = oauth.ClientSecretPost('secret of machine')
  const response = await oauth.clientCredentialsGrantRequest(server, client, authentication, wanted, options)
  return (await oauth.processClientCredentialsResponse(server, client, response)).access_token
}

const whoami = alone('tools/call', { name: 'whoami', arguments: {} })
const take = alone('tools/call', { name: 'take', arguments: {} })

for (const format of ['jwt', 'opaque'] as const) {
  test(`interop: tokens of oidc-provider, ${format}`, async () => {
    await using provider = await startProvider(format)
    const { issuer } = provider
    const introspection = { clientId: 'weather', clientSecret: 'secret of weather' }
    const auth = protect({ issuer, resource: address, ...(format === 'opaque' && { introspection }) })
    const handler = toFetch(vault().definition, { auth })
    const call = async ({ message, headers }: ReturnType<typeof alone>, token: string) =>
      post(handler, message, { ...headers, authorization: `Bearer ${token}` })
    const token = await tokenFrom(issuer, { resource: address, scope: 'vault:open' })
    assert.equal(token.split('.').length, format === 'jwt' ? 3 : 1)
    const { message } = await call(whoami, token)
    const caller = message?.result?.structuredContent as { principal: string; scopes: string[] } | undefined
    const [by, , client] = JSON.parse(caller?.principal ?? '[]')
    assert.deepEqual([by, client, caller?.scopes], [issuer, 'machine', ['vault:open']])
    assert.equal((await call(take, token)).status, 403)
    const rich = await tokenFrom(issuer, { resource: address, scope: 'vault:open vault:take' })
    assert.equal((await call(take, rich)).status, 200)
    const other = await tokenFrom(issuer, { resource: `${address}2`, scope: 'vault:open' })
    assert.equal((await call(whoami, other)).status, 401)
    assert.equal((await call(whoami, `${token}x`)).status, 401)
  })
}

test('interop: a token that oidc-provider bound to a key, used by oauth4webapi with a nonce', async () => {
  await using provider = await startProvider('jwt')
  const { issuer } = provider
  const proof = oauth.DPoP({}, await oauth.generateKeyPair('ES256'))
  const handler = toFetch(vault().definition, {
    auth: protect({ issuer, resource: address, dpop: { required: true, nonce: true } }),
  })
  const token = await tokenFrom(issuer, { resource: address }, proof)
  const statuses: number[] = []
  const use = () =>
    oauth.protectedResourceRequest(
      token,
      'POST',
      new URL(address),
      new Headers({
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...whoami.headers,
      }),
      JSON.stringify(whoami.message),
      {
        ...insecure,
        DPoP: proof,
        [oauth.customFetch]: async (url, init) => {
          const response = await handler(new Request(url, init as RequestInit))
          statuses.push(response.status)
          return response
        },
      },
    )
  await assert.rejects(use(), (error) => oauth.isDPoPNonceError(error))
  assert.equal((await use()).status, 200)
  assert.equal((await use()).status, 200)
  assert.deepEqual(statuses, [401, 200, 200])
})
