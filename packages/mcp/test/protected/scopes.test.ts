import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demandOf } from '../../src/auth/shared/parse-challenge.ts'
import { protect } from '../../src/auth-resource.ts'
import { toFetch } from '../../src/http.ts'
import { connect, server } from '../../src/index.ts'
import { memoryPair } from '../../src/testing.ts'
import { quiet } from '../fixtures/quiet.ts'
import { type Posted, post } from '../http/raw.ts'
import { alone, openSession, scoped, within } from './messages.ts'
import { protectedVault, vault } from './vault.ts'

const sessionRevisions = ['2025-03-26', '2025-06-18', '2025-11-25']
const needed = 'vault:open vault:take'

/** The answer's demands about scopes. */
function challenged({ status, headers }: Posted) {
  const { error, scope, resourceMetadata } = demandOf(headers.get('www-authenticate'))
  return { status, error, scope, resourceMetadata }
}

const challenge = {
  status: 403,
  error: 'insufficient_scope',
  scope: needed,
  resourceMetadata: 'http://localhost/.well-known/oauth-protected-resource/mcp',
}

for (const [method, params] of scoped) {
  test(`scopes: "${method}" of ${JSON.stringify(params)} is challenged for exactly what it takes`, async () => {
    await using place = await protectedVault()
    const { message, headers } = alone(method, params)
    const poor = await place.as('ann', 'vault:open', 'other')
    const refused = await post(place.handler, message, { ...headers, ...poor })
    assert.deepEqual(challenged(refused), challenge)
    assert.equal(refused.message?.id, 1)
    assert.equal(place.count.served, 0)
    const rich = await place.as('ann', 'vault:take', 'vault:open')
    const { status, headers: answered } = await post(place.handler, message, { ...headers, ...rich })
    assert.deepEqual([status, answered.has('www-authenticate'), place.count.served], [200, false, 1])
  })

  for (const revision of sessionRevisions) {
    test(`scopes: the same in a session of ${revision}: "${method}" of ${JSON.stringify(params)}`, async () => {
      await using place = await protectedVault()
      const poor = await place.as('ann')
      const session = await openSession(place.handler, poor, revision)
      const refused = await post(place.handler, within(method, params), { ...session, ...poor })
      assert.deepEqual(challenged(refused), challenge)
      assert.equal(place.count.served, 0)
      // a token with more scopes goes on in the same session
      const rich = await place.as('ann', 'vault:take', 'vault:open')
      assert.equal((await post(place.handler, within(method, params), { ...session, ...rich })).status, 200)
      assert.equal((await post(place.handler, within(method, params), { ...session, ...poor })).status, 403)
      assert.equal(place.count.served, 1)
    })
  }
}

test('scopes: the same without sessions', async () => {
  await using place = await protectedVault({ sessions: false })
  const refused = await post(place.handler, within('tools/call', { name: 'take' }), await place.as('ann'))
  assert.deepEqual(challenged(refused), challenge)
})

test('scopes: of several requests in one, each is answered for itself, so that none is made twice', async () => {
  await using place = await protectedVault()
  const caller = await place.as('ann')
  const session = await openSession(place.handler, caller, '2025-03-26')
  const both = [within('tools/call', { name: 'take' }, 'a'), within('tools/call', { name: 'whoami' }, 'b')]
  const { status, text } = await post(place.handler, both, { ...session, ...caller })
  const answers = new Map(JSON.parse(text).map((answer: { id: string }) => [answer.id, answer]))
  assert.equal(status, 200)
  assert.deepEqual((answers.get('a') as { error: { data: unknown } }).error.data, { scopes: needed.split(' ') })
  assert.ok((answers.get('b') as { result?: unknown }).result)
})

test('scopes: a tool that takes a scope is listed all the same, so that a client can ask for it', async () => {
  await using place = await protectedVault()
  const { message, headers } = alone('tools/list', {})
  const { message: answer } = await post(place.handler, message, { ...headers, ...(await place.as('ann')) })
  const tools = answer?.result?.tools as readonly { readonly name: string }[]
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['whoami', 'take', 'ask'],
  )
})

test('scopes: a mounted server keeps its own', async () => {
  await using place = await protectedVault()
  const whole = server({ name: 'bank', ...quiet }).mount('north', vault().definition)
  const auth = protect({ issuer: place.authorization.issuer, resource: 'http://localhost/mcp' })
  const { message, headers } = alone('tools/call', { name: 'north_take', arguments: {} })
  const refused = await post(toFetch(whole, { auth }), message, { ...headers, ...(await place.as('ann')) })
  assert.deepEqual(challenged(refused), challenge)
})

test('scopes: without authorization nothing is checked', async () => {
  const { definition } = vault()
  const [here, there] = memoryPair()
  definition.serve(there)
  await using client = await connect(here)
  const { content } = await client.tools.call('take', {})
  assert.deepEqual(content, [{ type: 'text', text: 'gold' }])
})
