import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ConnectOptions, connect, server } from '@trunkline/mcp'
import { type AuthError, clientCredentials } from '@trunkline/mcp/auth'
import { toFetch } from '@trunkline/mcp/http'
import { revisions } from '@trunkline/mcp/testing'
import { nodeFetch } from '../../src/transports/http/client/fetch/node-fetch.ts'
import { gate } from '../gate.ts'
import { browse, browsing } from './ask.ts'
import { type Hostile, hostileServer } from './hostile-server.ts'

/** Reaches an MCP server in this process, once the server that wants authorization has let a request pass. */
function behind({ url }: Hostile): ConnectOptions['http'] {
  const handler = toFetch(server({ name: 'vault', version: '1' }).tool('open', {}, () => 'gold'))
  return {
    async fetch(address, init) {
      const passed = await nodeFetch(url, { ...init, method: 'POST', body: '{}' })
      return passed.ok ? handler(new Request(address, init)) : passed
    },
  }
}

for (const revision of revisions.filter((one) => one !== '2024-11-05')) {
  test(`connect: signs in where that is wanted, in ${revision}`, async () => {
    await using hostile = await hostileServer()
    const options = { auth: browsing(), http: behind(hostile), revisions: [revision] } as const
    await using mcp = await connect(new URL(hostile.url), options as ConnectOptions)
    const { content } = await mcp.tools.call('open', {})
    assert.deepEqual(content, [{ type: 'text', text: 'gold' }])
    assert.equal(hostile.count('/authorize'), 1)
  })
}

test('connect: a call that needs more than was allowed so far asks for it, and is made', async () => {
  await using hostile = await hostileServer({ scope: 'read' })
  await using mcp = await connect(new URL(hostile.url), { auth: browsing(), http: behind(hostile) } as ConnectOptions)
  hostile.defects.scope = 'write'
  const { content } = await mcp.tools.call('open', {})
  assert.deepEqual(content, [{ type: 'text', text: 'gold' }])
})

test('connect: a user who takes long to sign in is waited for, beyond the time that a server is given', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  await using hostile = await hostileServer()
  const opened = gate<URL>()
  const options = { auth: browsing({ open: opened.open }), http: behind(hostile) } as ConnectOptions
  const connecting = connect(new URL(hostile.url), options)
  const page = await opened.promise
  for (let minutes = 0; minutes < 4; minutes++) t.mock.timers.tick(60_000)
  t.mock.timers.reset()
  await browse(page)
  await using mcp = await connecting
  assert.equal(mcp.revision, revisions[0])
})

test('connect: says why signing in failed, and tries no older handshake', async () => {
  await using hostile = await hostileServer({ denial: 'access_denied' })
  const connecting = connect(new URL(hostile.url), { auth: browsing(), http: behind(hostile) } as ConnectOptions)
  await assert.rejects(
    connecting,
    (error: AuthError) => error.code === 'Unauthorized' && error.error === 'access_denied',
  )
  assert.equal(hostile.count('/mcp'), 1)
})

test('connect: without an authorizer the refusal is the answer', async () => {
  await using hostile = await hostileServer()
  await assert.rejects(connect(new URL(hostile.url)), { code: 'Http', status: 401 })
})

test('connect: a program can be let in by what it is, without a user', async () => {
  await using hostile = await hostileServer()
  const auth = clientCredentials({ clientId: 'robot', clientSecret: 'secret' })
  await using mcp = await connect(new URL(hostile.url), { auth, http: behind(hostile) } as ConnectOptions)
  await mcp.ping()
  assert.equal(hostile.count('/authorize'), 0)
})
