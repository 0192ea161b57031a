import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { carried } from '../../../test/auth/carried.ts'
import { authorizationUrl, pendingAuthorization, processCallback } from './authorization-code.ts'

const issuer = 'https://auth.example.com'
const server = { issuer, authorization_endpoint: `${issuer}/authorize`, code_challenge_methods_supported: ['S256'] }
const demand = {
  server,
  clientId: 'client',
  redirectUri: 'http://127.0.0.1:1/cb',
  resource: 'https://mcp.example.com',
  scopes: ['a', 'b'],
}
const network = carried(() => assert.fail())

function pending(about: object = {}, more: object = {}) {
  return pendingAuthorization({ ...demand, server: { ...server, ...about }, ...more }, 'state-1')
}

test('pendingAuthorization: has a verifier of its own each time', () => {
  assert.notEqual(pending().codeVerifier, pending().codeVerifier)
  assert.match(pending().codeVerifier, /^[\w-]{43}$/)
})

test('authorizationUrl: says all that has to be said', async () => {
  const question = pending()
  const url = await authorizationUrl(question, network)
  const challenge = createHash('sha256').update(question.codeVerifier).digest('base64url')
  assert.equal(url.origin + url.pathname, `${issuer}/authorize`)
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    response_type: 'code',
    client_id: 'client',
    redirect_uri: 'http://127.0.0.1:1/cb',
    state: 'state-1',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: 'https://mcp.example.com',
    scope: 'a b',
  })
})

test('authorizationUrl: says nothing of scopes when there are none', async () => {
  assert.equal((await authorizationUrl(pending({}, { scopes: [] }), network)).searchParams.has('scope'), false)
})

test('authorizationUrl: keeps what the address of the server says, except what would say something else', async () => {
  const endpoint = `${issuer}/authorize?tenant=7&response_type=token&redirect_uri=https://evil.example/#x`
  const url = await authorizationUrl(pending({ authorization_endpoint: endpoint }), network)
  assert.equal(url.searchParams.get('tenant'), '7')
  assert.deepEqual(url.searchParams.getAll('response_type'), ['code'])
  assert.deepEqual(url.searchParams.getAll('redirect_uri'), ['http://127.0.0.1:1/cb'])
  assert.equal(url.hash, '')
})

test('authorizationUrl: asks for consent together with lasting access, and for a code that is bound', async () => {
  const url = await authorizationUrl(pending({}, { scopes: ['offline_access'], thumbprint: 't' }), network)
  assert.equal(url.searchParams.get('prompt'), 'consent')
  assert.equal(url.searchParams.get('dpop_jkt'), 't')
})

for (const methods of [undefined, [], ['plain'], ['s256']]) {
  test(`authorizationUrl: a server that offers ${JSON.stringify(methods)} cannot tell who redeems a code`, async () => {
    const url = authorizationUrl(pending({ code_challenge_methods_supported: methods }), network)
    await assert.rejects(url, { problem: 'discovery', message: /PKCE/ })
  })
}

const addresses = [
  ...['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'http://auth.example.com/', 'vbscript:x', ''],
  ...['https://user:password@auth.example.com/', 'https://169.254.169.254/', '--help', 'ms-settings:x', '$(touch x)'],
]

for (const address of addresses) {
  test(`authorizationUrl: "${address}" is no page to send a user to`, async () => {
    await assert.rejects(authorizationUrl(pending({ authorization_endpoint: address }), network), {
      problem: 'address',
    })
  })
}

test('authorizationUrl: an address that no browser would take is too long', async () => {
  const scopes = Array.from({ length: 4_000 }, (_, index) => `scope-${index}`)
  await assert.rejects(authorizationUrl(pending({}, { scopes }), network), { problem: 'limit' })
})

// what the server says about `iss`, what comes, whether it is believed
const table: readonly [supported: boolean | undefined, iss: string | undefined, isBelieved: boolean][] = [
  [true, issuer, true],
  [true, undefined, false],
  [true, 'https://evil.example', false],
  [true, `${issuer}/`, false],
  [true, 'HTTPS://auth.example.com', false],
  [true, `${issuer}:443`, false],
  [undefined, issuer, true],
  [undefined, undefined, true],
  [undefined, 'https://evil.example', false],
  [undefined, '', false],
  [false, undefined, true],
  [false, `${issuer}/`, false],
]

for (const [supported, iss, isBelieved] of table) {
  test(`processCallback: iss ${supported ? 'is' : 'is not'} announced and is "${iss}"`, async () => {
    const question = pending({ authorization_response_iss_parameter_supported: supported })
    const parameters = new URLSearchParams({ code: 'secret-code', state: 'state-1', ...(iss !== undefined && { iss }) })
    const code = processCallback(parameters, question)
    if (isBelieved) assert.equal(await code, 'secret-code')
    else await assert.rejects(code, { problem: 'issuer' })
  })
}

test('processCallback: of an answer from elsewhere nothing is repeated, not even why it refuses', async () => {
  const parameters = new URLSearchParams({
    iss: 'https://evil.example',
    state: 'state-1',
    error: 'shown',
    error_description: 'shown',
  })
  await assert.rejects(processCallback(parameters, pending()), (error: Error) => !error.message.includes('shown'))
})

for (const state of ['other', '']) {
  test(`processCallback: an answer with the state "${state}" is to another question`, async () => {
    await assert.rejects(processCallback(new URLSearchParams({ code: 'c', state }), pending()), { problem: 'invalid' })
  })
}

test('processCallback: refuses parameters that come twice', async () => {
  const parameters = new URLSearchParams('code=a&code=b&state=state-1&state=state-1')
  await assert.rejects(processCallback(parameters, pending()), { problem: 'invalid' })
})

test('processCallback: the user may say no', async () => {
  const parameters = new URLSearchParams({
    state: 'state-1',
    error: 'access_denied',
    error_description: 'Not\u0007 today',
  })
  const refusal = {
    problem: 'refused',
    error: 'access_denied',
    message: 'Cannot sign in: the authorization server says "access_denied", Not today',
  }
  await assert.rejects(processCallback(parameters, pending()), refusal)
})

test('processCallback: without a code there is nothing to redeem', async () => {
  await assert.rejects(processCallback(new URLSearchParams({ state: 'state-1' }), pending()), { problem: 'invalid' })
})

test('processCallback: the code and the state are in no error', async () => {
  const parameters = new URLSearchParams({ code: 'secret-code', state: 'state-1', error: 'secret-code state-1' })
  await assert.rejects(processCallback(parameters, pending()), (error: Error) => {
    return !/secret-code|state-1/.test(`${error.message} ${error.stack} ${JSON.stringify(error)}`)
  })
})
