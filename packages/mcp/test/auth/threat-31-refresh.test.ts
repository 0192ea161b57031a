import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import '../no-leaks.ts'
import { fileSecrets, memorySecrets, type SecretStore } from '../../src/auth.ts'
import { ask, browsing } from './ask.ts'
import { type Hostile, hostileServer } from './hostile-server.ts'

function refreshes({ seen }: Hostile): number {
  return seen.filter(({ body }) => body.includes('grant_type=refresh_token')).length
}

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'refresh-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

/** Signs in, and then has the server refuse the token. */
async function signedIn(server: Hostile, store: SecretStore): Promise<void> {
  await ask(server.url, browsing({ store }))
  server.revokeAll()
}

const noBrowser = { open: () => assert.fail('a page was opened') }

test('refresh: 100 requests that are refused together renew once', async () => {
  await using server = await hostileServer()
  const authorizer = browsing()
  await ask(server.url, authorizer)
  server.revokeAll()
  const responses = await Promise.all(Array.from({ length: 100 }, () => ask(server.url, authorizer)))
  assert.ok(responses.every(({ status }) => status === 200))
  assert.deepEqual([refreshes(server), server.count('/authorize')], [1, 1])
})

test('refresh: a refusal that arrives late, of a token that was replaced since, renews nothing', async () => {
  await using server = await hostileServer()
  const authorizer = browsing()
  await ask(server.url, authorizer)
  const sent = await authorizer.authorize({ method: 'POST', url: server.url })
  server.revokeAll()
  await ask(server.url, authorizer)
  const header = (): null => null
  assert.equal(await authorizer.challenged({ status: 401, url: server.url, sent, attempt: 0, header }), true)
  assert.equal(refreshes(server), 1)
})

test('refresh: 20 programs in one process that share a store renew once', async () => {
  await using server = await hostileServer()
  const store = memorySecrets()
  await signedIn(server, store)
  const programs = Array.from({ length: 20 }, () => browsing({ store, ...noBrowser }))
  const responses = await Promise.all(programs.map((program) => ask(server.url, program)))
  assert.ok(responses.every(({ status }) => status === 200))
  assert.equal(refreshes(server), 1)
})

/** A process that makes one request with what is kept in a folder, and says how that went. */
function program(at: string, url: string, prelude = '') {
  const source = `const { fileSecrets, signIn } = await import(${JSON.stringify(new URL('../../src/auth.ts', import.meta.url))})
    const { ask } = await import(${JSON.stringify(new URL('./ask.ts', import.meta.url))})
    const store = fileSecrets(${JSON.stringify(at)})
    ${prelude}
    const auth = signIn({ store, open: () => { throw new Error('a page was opened') } })
    console.log((await ask(${JSON.stringify(url)}, auth)).status)`
  return spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
}

test('refresh: 5 processes that share a folder renew once', async () => {
  await using at = await folder()
  await using server = await hostileServer()
  await signedIn(server, fileSecrets(at.path))
  const children = Array.from({ length: 5 }, () => program(at.path, server.url))
  const said = await Promise.all(children.map(async ({ stdout }) => (await stdout.toArray()).join('').trim()))
  assert.deepEqual(said, Array(5).fill('200'))
  assert.equal(refreshes(server), 1)
})

test('refresh: a process killed between the answer and the store costs one visit, and no loop', async () => {
  await using at = await folder()
  await using server = await hostileServer()
  await signedIn(server, fileSecrets(at.path))
  const killed = program(at.path, server.url, "store.set = async () => process.kill(process.pid, 'SIGKILL')")
  const [, signal] = await once(killed, 'exit')
  assert.equal(signal, 'SIGKILL')
  assert.equal(refreshes(server), 1)
  // the server gave the next token to the dead, so the old one is worth nothing
  const response = await ask(server.url, browsing({ store: fileSecrets(at.path) }))
  assert.equal(response.status, 200)
  assert.deepEqual([refreshes(server), server.count('/authorize')], [2, 2])
})

test('refresh: a token is kept before it is used', async () => {
  await using server = await hostileServer()
  const store = memorySecrets()
  await signedIn(server, store)
  const order: string[] = []
  const watched: SecretStore = {
    ...store,
    set: async (name, secret) => {
      order.push('kept')
      await store.set(name, secret)
    },
  }
  const before = server.seen.length
  await ask(server.url, browsing({ store: watched, ...noBrowser }))
  const uses = server.seen.slice(before).filter(({ url }) => url.pathname === '/mcp')
  assert.equal(uses.length, 2)
  assert.ok(order.length > 0)
  const kept = JSON.stringify(await kepts(store, server))
  assert.ok(kept.includes(uses[1]?.headers.authorization?.split(' ')[1] ?? 'nothing'))
})

async function kepts(store: SecretStore, server: Hostile): Promise<unknown> {
  return store.get(JSON.stringify(['trunkline', 'tokens', '', server.issuer, server.url]))
}

test('refresh: a store that does not keep a token is an error, and the token is not used', async () => {
  await using server = await hostileServer()
  const store = memorySecrets()
  await signedIn(server, store)
  const full = { ...store, set: () => Promise.reject(new Error('disk full')) }
  await assert.rejects(ask(server.url, browsing({ store: full, ...noBrowser })), { problem: 'store' })
  assert.equal(server.seen.at(-1)?.url.pathname, '/token')
})

test('refresh: a server that does not renew any more is visited, once', async () => {
  await using server = await hostileServer({ isForgetful: true })
  const store = memorySecrets()
  await signedIn(server, store)
  assert.equal((await ask(server.url, browsing({ store }))).status, 200)
  assert.deepEqual([refreshes(server), server.count('/authorize')], [0, 2])
})

for (const tokenError of ['temporarily_unavailable', 'server_error', 'invalid_request']) {
  test(`refresh: "${tokenError}" is heard of, and costs the user nothing`, async () => {
    await using server = await hostileServer()
    const store = memorySecrets()
    await signedIn(server, store)
    server.defects.tokenError = tokenError
    await assert.rejects(ask(server.url, browsing({ store, ...noBrowser })), { error: tokenError })
    delete server.defects.tokenError
    assert.equal((await ask(server.url, browsing({ store, ...noBrowser }))).status, 200)
  })
}

for (const tokenError of ['invalid_client', 'unauthorized_client']) {
  test(`refresh: a program that is not known any more ("${tokenError}") registers and visits again`, async () => {
    await using server = await hostileServer()
    const store = memorySecrets()
    await signedIn(server, store)
    server.defects.tokenError = tokenError
    const open = async (url: URL): Promise<void> => {
      delete server.defects.tokenError
      await fetch(url)
    }
    assert.equal((await ask(server.url, browsing({ store, open }))).status, 200)
    assert.equal(server.count('/register'), 2)
  })
}

test('refresh: tokens that another left in the store are renewed too, when they are refused as well', async () => {
  await using server = await hostileServer()
  const store = memorySecrets()
  const authorizer = browsing({ store })
  await ask(server.url, authorizer)
  // another signs in after this one, and then no token counts any more
  const other = browsing({ store })
  await other.authorize({ method: 'POST', url: server.url })
  await other.forget()
  await ask(server.url, other)
  server.revokeAll()
  assert.equal((await ask(server.url, authorizer)).status, 200)
  assert.deepEqual([refreshes(server), server.count('/authorize')], [1, 2])
})

test('refresh: the secret of a client that was registered by hand is not kept', async () => {
  await using server = await hostileServer({ clientSecret: 'of somebody else' })
  const written: string[] = []
  const store = memorySecrets()
  const set = async (name: string, secret: string): Promise<void> => {
    written.push(secret)
    await store.set(name, secret)
  }
  const watched: SecretStore = { ...store, set }
  const client = { clientId: 'by-hand', clientSecret: 'secret-by-hand' }
  await ask(server.url, browsing({ store: watched, client }))
  server.revokeAll()
  await ask(server.url, browsing({ store: watched, client, ...noBrowser }))
  assert.ok(written.length > 0 && written.every((text) => !text.includes('secret-by-hand')))
})

test('refresh: a token that has ended is renewed before it is shown', async () => {
  await using server = await hostileServer({ expiresIn: 60 })
  let now = 1_000_000
  const authorizer = browsing({ now: () => now })
  await ask(server.url, authorizer)
  now += 60_000
  const before = server.count('/mcp')
  await ask(server.url, authorizer)
  assert.equal(server.count('/mcp'), before + 1)
  assert.equal(refreshes(server), 1)
})

test('refresh: refreshAheadMs renews a token before it ends, once for all that ask', async () => {
  await using server = await hostileServer({ expiresIn: 3_600 })
  let now = 1_000_000
  const authorizer = browsing({ now: () => now, refreshAheadMs: 60_000 })
  await ask(server.url, authorizer)
  now += 3_539_000
  await ask(server.url, authorizer)
  assert.equal(refreshes(server), 0)
  now += 1_000
  await Promise.all(Array.from({ length: 50 }, () => ask(server.url, authorizer)))
  assert.equal(refreshes(server), 1)
})

test('refresh: refreshAheadMs is at most a quarter of the time a token is valid', async () => {
  await using server = await hostileServer({ expiresIn: 4 })
  let now = 1_000_000
  const authorizer = browsing({ now: () => now, refreshAheadMs: 60_000 })
  await ask(server.url, authorizer)
  now += 2_999
  await ask(server.url, authorizer)
  assert.equal(refreshes(server), 0)
  now += 1
  await ask(server.url, authorizer)
  assert.equal(refreshes(server), 1)
})

test('refresh: a token that cannot be renewed ahead of time is used until it ends', async () => {
  await using server = await hostileServer({ expiresIn: 3_600 })
  let now = 1_000_000
  const unreachable = { isSo: false }
  const authorizer = browsing({
    now: () => now,
    refreshAheadMs: 60_000,
    fetch: (url, init) => (unreachable.isSo ? Promise.reject(new Error('unreachable')) : fetch(url, init)),
  })
  await ask(server.url, authorizer)
  now += 3_590_000
  unreachable.isSo = true
  assert.equal((await ask(server.url, authorizer)).status, 200)
  now += 10_000
  await assert.rejects(ask(server.url, authorizer), /Cannot/)
})

test('resource: tokens are asked for what the program says, in every request', async () => {
  await using server = await hostileServer()
  const authorizer = browsing({ resource: 'https://api.example/all' })
  await ask(server.url, authorizer)
  server.revokeAll()
  await ask(server.url, authorizer)
  const asked = server.seen.filter(({ url }) => ['/authorize', '/token'].includes(url.pathname))
  const given = asked.map(
    ({ url, body }) => url.searchParams.get('resource') ?? new URLSearchParams(body).get('resource'),
  )
  assert.deepEqual(given, Array(3).fill('https://api.example/all'))
  assert.throws(() => browsing({ resource: 'all' }), /give "resource" as a URL/)
})

test('refresh: accounts at one server have tokens of their own', async () => {
  await using server = await hostileServer()
  const store = memorySecrets()
  await ask(server.url, browsing({ store, account: 'work' }))
  await ask(server.url, browsing({ store, account: 'home' }))
  await ask(server.url, browsing({ store, account: 'work', ...noBrowser }))
  assert.equal(server.count('/authorize'), 2)
})

test('forget: the next request starts from nothing', async () => {
  await using server = await hostileServer()
  const authorizer = browsing()
  await ask(server.url, authorizer)
  await authorizer.forget()
  await ask(server.url, authorizer)
  assert.equal(server.count('/authorize'), 2)
})
