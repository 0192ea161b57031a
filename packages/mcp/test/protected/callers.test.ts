import assert from 'node:assert/strict'
import { test } from 'node:test'
import { protect } from '../../src/auth-resource.ts'
import { toFetch } from '../../src/http.ts'
import { server } from '../../src/index.ts'
import { makeHolder } from '../fixtures/holder.ts'
import { startIssuer } from '../fixtures/issuer.ts'
import { quiet } from '../fixtures/quiet.ts'
import { post, resume } from '../http/raw.ts'
import { alone, openSession, within } from './messages.ts'
import { address, type Protected, protectedVault } from './vault.ts'

interface Known {
  readonly principal: string
  readonly scopes: readonly string[]
  readonly claims: Record<string, unknown>
}

const known = (result: Record<string, unknown> | undefined) => result?.structuredContent as Known

test('caller: handlers know who calls, what they may do and what is said about them', async () => {
  await using place = await protectedVault()
  const { issuer } = place.authorization
  const ann = await place.as('ann', 'a', 'b')
  const { message, headers } = alone('tools/call', { name: 'whoami', arguments: {} })
  const session = await openSession(place.handler, await place.as('ann'), '2025-11-25')
  const both = [
    await post(place.handler, message, { ...headers, ...ann }),
    await post(place.handler, within('tools/call', { name: 'whoami' }), { ...session, ...ann }),
  ]
  for (const { message: answer } of both) {
    const { principal, scopes, claims } = known(answer?.result)
    assert.equal(principal, JSON.stringify([issuer, 'ann', 'development']))
    assert.deepEqual(scopes, ['a', 'b'])
    assert.deepEqual([claims.iss, claims.sub, claims.aud], [issuer, 'ann', address])
  }
})

test('caller: the credentials of a request are not passed on', async () => {
  await using place = await protectedVault()
  const seen: unknown[] = []
  const nosy = server({ name: 'nosy', ...quiet })
    .use((next) => (request) => {
      const { headers } = request.incoming.sender ?? {}
      for (const name of ['authorization', 'Authorization', 'dpop']) seen.push(headers?.get(name))
      seen.push(headers?.get('mcp-method'))
      return next(request)
    })
    .tool('ring', {}, () => 'ding')
  const auth = protect({ issuer: place.authorization.issuer, resource: address })
  const { message, headers } = alone('tools/call', { name: 'ring', arguments: {} })
  const { status } = await post(toFetch(nosy, { auth }), message, { ...headers, ...(await place.as('ann')), dpop: 'x' })
  assert.deepEqual([status, seen], [200, [null, null, null, 'tools/call']])
})

/** Every request that can be made in a caller's session. */
function attempts(place: Protected, session: Record<string, string>, caller: Record<string, string>) {
  const headers = { ...session, ...caller }
  const bare = (method: string) =>
    place.handler(new Request(address, { method, headers: { accept: 'text/event-stream', ...headers } }))
  return {
    'a request': async () => (await post(place.handler, within('tools/list', {}), headers)).status,
    'a notification': async () =>
      (await post(place.handler, { jsonrpc: '2.0', method: 'notifications/cancelled' }, headers)).status,
    'an answer': async () => (await post(place.handler, { jsonrpc: '2.0', id: 0, result: {} }, headers)).status,
    'a stream': async () => (await bare('GET')).status,
    'what was missed': async () =>
      (await resume(place.handler, `${session['mcp-session-id']?.slice(0, 8)}-0.0`, headers)).status,
    'its end': async () => (await bare('DELETE')).status,
  }
}

test('Sessions: that of one caller does not exist for any other', async () => {
  await using place = await protectedVault()
  const { authorization } = place
  const [ann, bob] = [await place.as('ann'), await place.as('bob')]
  const other = await authorization.tokenFor({ subject: 'ann', clientId: 'phone', resources: [address] })
  const session = await openSession(place.handler, ann, '2025-11-25')
  for (const stranger of [bob, { authorization: `Bearer ${other}` }]) {
    for (const [what, attempt] of Object.entries(attempts(place, session, stranger))) {
      assert.equal(await attempt(), 404, what)
    }
  }
  const guessed = { ...session, 'mcp-session-id': crypto.randomUUID() }
  const stranger = await post(place.handler, within('tools/list', {}), { ...session, ...bob })
  const nobody = await post(place.handler, within('tools/list', {}), { ...guessed, ...bob })
  assert.equal(stranger.text, nobody.text)
  assert.equal((await post(place.handler, within('tools/list', {}), { ...session, ...ann })).status, 200)
})

test('Sessions: a request without a token is answered with 401, whether the session is there or not', async () => {
  await using place = await protectedVault()
  const session = await openSession(place.handler, await place.as('ann'), '2025-11-25')
  for (const id of [session['mcp-session-id'], crypto.randomUUID()]) {
    for (const [what, attempt] of Object.entries(attempts(place, { ...session, 'mcp-session-id': id }, {}))) {
      assert.equal(await attempt(), 401, what)
    }
  }
})

test('requestState: the state of one caller is of no use to another', async () => {
  await using place = await protectedVault()
  const [ann, bob] = [await place.as('ann'), await place.as('bob')]
  const first = alone('tools/call', { name: 'ask', arguments: {} })
  const { message } = await post(place.handler, first.message, { ...first.headers, ...ann })
  const { requestState } = message?.result ?? {}
  assert.equal(typeof requestState, 'string')
  const answers = { word: { action: 'accept', content: { word: 'sesame' } } }
  const again = alone('tools/call', { name: 'ask', arguments: {}, requestState, inputResponses: answers })
  const stolen = await post(place.handler, again.message, { ...again.headers, ...bob })
  assert.match(stolen.message?.error?.message ?? '', /"requestState": tampered/)
  assert.equal(place.count.served, 0)
  const own = await post(place.handler, again.message, { ...again.headers, ...ann })
  assert.deepEqual(own.message?.result?.content, [{ type: 'text', text: 'You said sesame' }])
})

test('Entrance: a new nonce travels with the answer, as JSON and as events', async () => {
  await using issuer = await startIssuer(address)
  let now = Date.now()
  const clock = () => now
  const holder = await makeHolder(address, clock)
  const auth = protect({ issuer: issuer.url, resource: address, dpop: { nonce: true, nonceMs: 60_000 }, now: clock })
  const chatty = server({ name: 'chatty', ...quiet }).tool('ring', {}, async (_, { progress }) => {
    await progress(1)
    return 'ding'
  })
  const handler = toFetch(chatty, { auth })
  const token = await issuer.sign({ cnf: { jkt: holder.thumbprint } })
  let nonce: string | null = null
  const ring = async (meta: object) => {
    const { message, headers } = alone('tools/call', { name: 'ring', arguments: {} })
    Object.assign(message.params._meta, meta)
    const proof = await holder.prove(token, nonce === null ? {} : { nonce })
    const answer = await post(handler, message, { ...headers, authorization: `DPoP ${token}`, dpop: proof })
    nonce = answer.headers.get('dpop-nonce') ?? nonce
    return answer
  }
  assert.equal((await ring({})).status, 401)
  assert.equal((await ring({})).headers.get('dpop-nonce'), null)
  now += 30_000
  assert.ok((await ring({})).headers.get('dpop-nonce'))
  now += 30_000
  const events = await ring({ progressToken: 1 })
  assert.equal(events.headers.get('content-type'), 'text/event-stream')
  assert.ok(events.headers.get('dpop-nonce'))
})

test('Entrance: when the caller cannot be identified, the error is reported here and the request is refused', async () => {
  await using place = await protectedVault()
  const reported: string[] = []
  const onError = (error: unknown, what: string) => reported.push(`${what}: ${error} ${(error as Error).cause}`)
  const definition = server({ name: 'alone', ...quiet, onError }).tool('ring', {}, () => assert.fail())
  const lost = protect({ issuer: place.authorization.issuer, jwksUri: 'http://127.0.0.1:1/jwks', resource: address })
  const { message, headers } = alone('tools/call', { name: 'ring', arguments: {} })
  const answer = await post(toFetch(definition, { auth: lost }), message, { ...headers, ...(await place.as('ann')) })
  assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '5'])
  assert.doesNotMatch(answer.text, /127\.0\.0\.1/)
  assert.equal(reported.length, 1)
  assert.match(reported[0] ?? '', /^Authorization: Error: Cannot check a token .*127\.0\.0\.1:1 cannot be reached/)
})

test('Entrance: a page that may call can read what it is told, and asks for permission without a token', async () => {
  await using place = await protectedVault({ origins: ['https://app.example'], cors: {} })
  const send = (path: string, method: string) =>
    place.handler(new Request(new URL(path, address), { method, headers: { origin: 'https://app.example' } }))
  const preflight = await send('/mcp', 'OPTIONS')
  assert.equal(preflight.status, 204)
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Authorization, DPoP/)
  const refused = await send('/mcp', 'POST')
  assert.equal(refused.status, 401)
  assert.match(refused.headers.get('access-control-expose-headers') ?? '', /WWW-Authenticate, DPoP-Nonce/)
  const metadata = await send('/.well-known/oauth-protected-resource/mcp', 'GET')
  assert.deepEqual([metadata.status, metadata.headers.get('access-control-allow-origin')], [200, 'https://app.example'])
})
