import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../no-leaks.ts'
import { memorySecrets, signIn } from '../../src/auth.ts'
import { devServer } from '../../src/auth-dev-server.ts'
import { connect, serve } from '../../src/index.ts'
import { vault } from './vault.ts'

/** The vault with every way in that there is; signing in succeeds at once. */
async function open() {
  const authorization = await devServer({
    clients: [{ clientId: 'own', redirectUris: ['http://127.0.0.1/callback'] }],
    warn: () => {},
  })
  const store = memorySecrets()
  const pages: URL[] = []
  const needed: string[] = []
  const listening = await serve(vault().definition, {
    http: 0,
    sse: true,
    websocket: true,
    auth: { issuer: authorization.issuer, scopes: needed },
  })
  const { host } = new URL(listening.url)
  return {
    addresses: { sse: `http://${host}/sse`, websocket: `ws://${host}/mcp` } as const,
    store,
    /** The scopes that the user was asked for, page by page. */
    asked: () => pages.map(({ searchParams }) => searchParams.get('scope')),
    auth: () =>
      signIn({
        client: { clientId: 'own' },
        store,
        open(page) {
          pages.push(page)
          return fetch(page)
        },
      }),
    /** Scopes that every request takes, from when they are in here. */
    needed,
    principal: JSON.stringify([authorization.issuer, 'developer', 'own']),
    async [Symbol.asyncDispose]() {
      await listening.close()
      await authorization.close()
    },
  }
}

const ways = [
  ['sse', '2024-11-05'],
  ['websocket', '2024-11-05'],
  ['websocket', '2025-03-26'],
  ['websocket', '2025-06-18'],
  ['websocket', '2025-11-25'],
  ['websocket', '2026-07-28'],
] as const

/** Name of the caller, as the server sees it. */
async function whoami(client: Awaited<ReturnType<typeof connect>>): Promise<string> {
  const { content } = await client.tools.call('whoami', {})
  return JSON.parse((content[0] as { text: string }).text).principal
}

for (const [way, revision] of ways) {
  test(`signIn: over ${way} in ${revision}, a refusal is overcome once and remembered`, async () => {
    await using place = await open()
    const address = place.addresses[way]
    for (let time = 0; time < 2; time++) {
      await using client = await connect(address, { auth: place.auth(), revisions: [revision] })
      assert.deepEqual([client.revision, await whoami(client)], [revision, place.principal])
    }
    assert.deepEqual(place.asked(), [null])
  })

  test(`signIn: over ${way} in ${revision}, a token that allows too little to come in is replaced`, async () => {
    await using place = await open()
    const address = place.addresses[way]
    await (await connect(address, { auth: place.auth(), revisions: [revision] })).close()
    place.needed.push('vault:enter')
    await using client = await connect(address, { auth: place.auth(), revisions: [revision] })
    assert.equal(await whoami(client), place.principal)
    assert.deepEqual(place.asked(), [null, 'vault:enter'])
  })

  test(`scopes: over ${way} in ${revision}, the answer alone says what a request lacks`, async () => {
    await using place = await open()
    await using client = await connect(place.addresses[way], { auth: place.auth(), revisions: [revision] })
    const lacking = { data: { scopes: ['vault:open', 'vault:take'] } }
    await assert.rejects(client.tools.call('take', {}), lacking)
    await assert.rejects(client.resources.read('vault:inventory'), lacking)
    await assert.rejects(
      client.resources.watch('vault:inventory', () => {}),
      lacking,
    )
    assert.equal(await whoami(client), place.principal)
  })
}

test('signIn: over a websocket, who does not sign in is told so and leaves nothing behind', async () => {
  await using place = await open()
  const auth = signIn({ client: { clientId: 'own' }, store: place.store, open: () => Promise.reject(new Error('no')) })
  await assert.rejects(connect(place.addresses.websocket, { auth }), /no/)
})
