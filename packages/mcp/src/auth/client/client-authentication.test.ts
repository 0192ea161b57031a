import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt, decodeProtectedHeader, exportJWK, exportPKCS8, generateKeyPair } from 'jose'
import { type ClientAuthentication, keyAuthentication, secretAuthentication } from './client-authentication.ts'

const server = { issuer: 'https://auth.example.com' }

async function shown({ authentication, client }: ClientAuthentication) {
  const [body, headers] = [new URLSearchParams(), new Headers()]
  await authentication(server, client, body, headers)
  return { body: Object.fromEntries(body), authorization: headers.get('authorization') }
}

test('credentialsOf: without a secret only the name is shown', async () => {
  assert.deepEqual(await shown(secretAuthentication({ clientId: 'a' }, server)), {
    body: { client_id: 'a' },
    authorization: null,
  })
})

test('credentialsOf: a secret goes into the header, unless the server wants it elsewhere', async () => {
  const client = { clientId: 'my-client', clientSecret: 'it is:secret' }
  const basic = { body: { client_id: 'my-client' }, authorization: `Basic ${btoa('my-client:it+is%3Asecret')}` }
  assert.deepEqual(await shown(secretAuthentication(client, server)), basic)
  const offering = (...methods: string[]) => ({ ...server, token_endpoint_auth_methods_supported: methods })
  const either = offering('client_secret_post', 'client_secret_basic')
  assert.deepEqual(await shown(secretAuthentication(client, either)), basic)
  const posted = { body: { client_id: 'my-client', client_secret: 'it is:secret' }, authorization: null }
  assert.deepEqual(await shown(secretAuthentication(client, offering('client_secret_post'))), posted)
  const named = { body: { client_id: 'my-client' }, authorization: null }
  assert.deepEqual(await shown(secretAuthentication(client, offering('none'))), named)
})

test('credentialsOf: uses the method that the server named at registration', async () => {
  const client = { clientId: 'a', clientSecret: 's', method: 'client_secret_post' }
  assert.deepEqual((await shown(secretAuthentication(client, server))).body, { client_id: 'a', client_secret: 's' })
  assert.throws(() => secretAuthentication({ ...client, method: 'tls_client_auth' }, server), {
    problem: 'registration',
  })
})

test('keyedCredentialsOf: signs for the issuer, with a key in any form', async () => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  for (const form of [privateKey, await exportPKCS8(privateKey), { ...(await exportJWK(privateKey)), alg: 'ES256' }]) {
    const { body } = await shown(await keyAuthentication({ clientId: 'a', privateKey: form, keyId: 'k' }))
    const { iss, sub, aud } = decodeJwt(body.client_assertion ?? '')
    assert.deepEqual([iss, sub, aud], ['a', 'a', server.issuer])
    assert.deepEqual(decodeProtectedHeader(body.client_assertion ?? ''), { alg: 'ES256', kid: 'k' })
  }
})

test('keyedCredentialsOf: an invalid key is not repeated in the error', async () => {
  for (const privateKey of [
    '-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----',
    'hunter2',
    { kty: 'EC', d: 'hunter2' },
  ]) {
    await assert.rejects(keyAuthentication({ clientId: 'a', privateKey }), (error: Error) => {
      return (
        error.message.includes('private key') && !JSON.stringify([error, error.cause, error.stack]).includes('hunter2')
      )
    })
  }
})
