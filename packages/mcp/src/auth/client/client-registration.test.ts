import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carried } from '../../../test/auth/carried.ts'
import { processRegistration, registrationRequest } from './client-registration.ts'

const issuer = 'https://auth.example.com'
const server = { issuer, registration_endpoint: `${issuer}/register` }
const redirectUri = 'http://127.0.0.1:1234/callback'
const description = { name: 'Test', redirectUri, bindsTokens: false }

async function sent(about: object, what: object = {}): Promise<Record<string, unknown>> {
  const network = carried(() => Response.json({}))
  await registrationRequest({ ...server, ...about }, { ...description, ...what }, { network })
  return JSON.parse(network.sent[0]?.body ?? '')
}

test('registrationRequest: says what the program is', async () => {
  assert.deepEqual(await sent({}), {
    client_name: 'Test',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: 'native',
    token_endpoint_auth_method: 'none',
  })
})

test('registrationRequest: a program that is come back to over the web is one of the web', async () => {
  assert.equal((await sent({}, { redirectUri: 'https://app.example/callback' })).application_type, 'web')
})

test('registrationRequest: asks for a secret only where none is not offered', async () => {
  const method = async (...offered: string[]) =>
    (await sent({ token_endpoint_auth_methods_supported: offered })).token_endpoint_auth_method
  assert.equal(await method('client_secret_basic', 'none'), 'none')
  assert.equal(await method('client_secret_post', 'client_secret_basic'), 'client_secret_basic')
  assert.equal(await method('client_secret_post'), 'client_secret_post')
})

test('registrationRequest: says that tokens will be bound', async () => {
  assert.equal((await sent({}, { bindsTokens: true })).dpop_bound_access_tokens, true)
})

test('registrationRequest: follows no redirect', async () => {
  const network = carried(() => new Response(null, { status: 307, headers: { location: 'https://evil.example/' } }))
  await assert.rejects(registrationRequest(server, description, { network }), { problem: 'address' })
})

test('processRegistration: reads who the client is', async () => {
  const answer = Response.json({ client_id: 'a' }, { status: 201 })
  assert.deepEqual(await processRegistration(answer, redirectUri), { clientId: 'a', redirectUri })
})

test('processRegistration: reads the secret, how to use it and how long', async () => {
  const document = { client_id: 'a', client_secret: 's', client_secret_expires_at: 7, token_endpoint_auth_method: 'm' }
  const client = { clientId: 'a', redirectUri, clientSecret: 's', method: 'm', expiresAt: 7_000 }
  assert.deepEqual(await processRegistration(Response.json(document), redirectUri), client)
  const lasting = Response.json({ ...document, client_secret_expires_at: 0 })
  assert.equal((await processRegistration(lasting, redirectUri)).expiresAt, undefined)
})

for (const document of [{}, { client_id: '' }, { client_id: 7 }, []]) {
  test(`processRegistration: ${JSON.stringify(document)} names no client`, async () => {
    await assert.rejects(processRegistration(Response.json(document), redirectUri), { problem: 'invalid' })
  })
}

test('processRegistration: says why the server refused', async () => {
  const document = { error: 'invalid_redirect_uri', error_description: 'must be https' }
  const refusal = processRegistration(Response.json(document, { status: 400 }), redirectUri)
  await assert.rejects(refusal, { problem: 'registration', error: 'invalid_redirect_uri', message: /must be https/ })
})

test('processRegistration: a server that fails without a word fails', async () => {
  for (const answer of [new Response('oops', { status: 500 }), new Response('', { status: 403 })]) {
    await assert.rejects(processRegistration(answer, redirectUri), { problem: 'registration' })
  }
})
