import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../no-leaks.ts'
import { demandOf } from '../../src/auth/shared/parse-challenge.ts'
import { memorySecrets, signIn } from '../../src/auth.ts'
import { devServer } from '../../src/auth-dev-server.ts'
import type { Caller } from '../../src/dialects/dialect.ts'
import { toFetch } from '../../src/http.ts'
import { connect, serve, server } from '../../src/index.ts'
import { quiet } from '../fixtures/quiet.ts'
import { type Posted, post } from '../http/raw.ts'
import { alone, openSession, within } from './messages.ts'
import { address, protectedVault, vault } from './vault.ts'

const sessionRevisions = ['2025-03-26', '2025-06-18', '2025-11-25']
const needed = 'vault:open vault:take'
const watchable = ['vault:inventory', 'vault:boxes/7']

function challenged({ status, headers }: Posted) {
  const { error, scope } = demandOf(headers.get('www-authenticate'))
  return { status, error, scope }
}

const challenge = { status: 403, error: 'insufficient_scope', scope: needed }

for (const revision of sessionRevisions) {
  for (const method of ['resources/subscribe', 'resources/unsubscribe']) {
    test(`scopes: "${method}" of ${revision} is challenged for what it takes to read`, async () => {
      await using place = await protectedVault()
      const poor = await place.as('ann', 'vault:open')
      const session = await openSession(place.handler, poor, revision)
      for (const uri of watchable) {
        assert.deepEqual(
          challenged(await post(place.handler, within(method, { uri }), { ...session, ...poor })),
          challenge,
        )
      }
      // what is not there takes nothing
      const free = await post(place.handler, within(method, { uri: 'vault:nothing' }), { ...session, ...poor })
      assert.equal(free.status, 200)
      const rich = await place.as('ann', 'vault:take', 'vault:open')
      for (const uri of watchable) {
        assert.equal((await post(place.handler, within(method, { uri }), { ...session, ...rich })).status, 200)
      }
    })
  }
}

const listening = (...uris: readonly string[]) =>
  alone('subscriptions/listen', { notifications: { resourceSubscriptions: uris } })

test('scopes: "subscriptions/listen" is challenged for what all that it names takes to read', async () => {
  await using place = await protectedVault()
  const { message, headers } = listening('vault:nothing', ...watchable)
  const refused = await post(place.handler, message, { ...headers, ...(await place.as('ann', 'vault:open')) })
  assert.deepEqual(challenged(refused), challenge)
  assert.equal(refused.message?.id, 1)
})

test('scopes: "subscriptions/listen" with them, or for what takes none, is agreed to', async () => {
  await using place = await protectedVault()
  const callers = [
    [listening(...watchable), await place.as('ann', 'vault:take', 'vault:open')],
    [listening('vault:nothing'), await place.as('ann')],
    [alone('subscriptions/listen', { notifications: { resourcesListChanged: true } }), await place.as('ann')],
  ] as const
  for (const [{ message, headers }, caller] of callers) {
    const stop = new AbortController()
    const own = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const init = { method: 'POST', headers: { ...own, ...headers, ...caller }, body: JSON.stringify(message) }
    const response = await place.handler(new Request(address, { ...init, signal: stop.signal }))
    const { value } = (await response.body?.getReader().read()) ?? {}
    assert.match(new TextDecoder().decode(value), /notifications\/subscriptions\/acknowledged/)
    stop.abort()
  }
})

for (const revision of [...sessionRevisions, '2026-07-28']) {
  test(`watch: our client is told in ${revision} what it lacks, gets it, and hears of changes`, async () => {
    await using authorization = await devServer({
      clients: [{ clientId: 'own', redirectUris: ['http://127.0.0.1/callback'] }],
      warn: () => {},
    })
    const { definition } = vault()
    await using place = await serve(definition, { http: 0, auth: { issuer: authorization.issuer } })
    const pages: URL[] = []
    const open = (page: URL) => {
      pages.push(page)
      return fetch(page)
    }
    const auth = signIn({ client: { clientId: 'own' }, store: memorySecrets(), open })
    await using client = await connect(new URL(place.url), { auth, revisions: [revision] })
    let heard = (_: string): void => {}
    const change = new Promise<string>((resolve) => {
      heard = resolve
    })
    await using _watch = await client.resources.watch('vault:inventory', (uri) => heard(uri))
    definition.resources.updated('vault:inventory')
    assert.equal(await change, 'vault:inventory')
    assert.deepEqual(
      pages.map(({ searchParams }) => searchParams.get('scope')),
      [null, needed],
    )
  })
}

test('watch: a caller that may not see a resource is not told of its changes either', async () => {
  const changed: string[] = []
  const own = (name: string) => ({ visible: ({ info }: Caller) => info?.name === name })
  const definition = server({ name: 'desk', ...quiet })
    .resource('desk:ann', own('ann'), () => '')
    .template('drawer:ann/{number}', own('ann'), () => '')
    .resource('desk:all', {}, () => '')
  for (const revision of [...sessionRevisions, '2026-07-28']) {
    await using bob = await connect(definition, { info: { name: 'bob', version: '1' }, revisions: [revision] })
    await using ann = await connect(definition, { info: { name: 'ann', version: '1' }, revisions: [revision] })
    for (const uri of ['desk:ann', 'drawer:ann/1', 'desk:all', 'desk:new']) {
      await bob.resources.watch(uri, (changes) => changed.push(`bob ${changes}`))
      await ann.resources.watch(uri, (changes) => changed.push(`ann ${changes}`))
    }
    for (const uri of ['desk:ann', 'drawer:ann/1', 'desk:all', 'desk:new']) definition.resources.updated(uri)
    // what was told before is there once this is answered
    await Promise.all([bob.resources.read('desk:all'), ann.resources.read('desk:all')])
    assert.deepEqual(changed.splice(0).sort(), [
      ...['ann desk:all', 'ann desk:ann', 'ann desk:new', 'ann drawer:ann/1'],
      ...['bob desk:all', 'bob desk:new'],
    ])
  }
  await definition.close()
})

test('watch: without a session notices could not be delivered, so nothing is watched', async () => {
  const { definition } = vault()
  const handler = toFetch(definition, { sessions: false })
  for (const revision of sessionRevisions) {
    for (const method of ['resources/subscribe', 'resources/unsubscribe']) {
      const asking = within(method, { uri: 'vault:inventory' })
      const { message } = await post(handler, asking, { 'mcp-protocol-version': revision })
      assert.equal(message?.error?.code, -32601)
    }
  }
  assert.equal(definition.live.watchers, 0)
})
