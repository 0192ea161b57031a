import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../../src/connect.ts'
import { serveHttp } from '../../src/node.ts'
import { server } from '../../src/server/server.ts'
import { everyRevision, join, revisions } from '../../src/testing/revisions.ts'
import { quiet } from '../fixtures/quiet.ts'
import { stamps, stampsId } from './stamps.ts'

const [newest = ''] = revisions
const older = revisions.slice(1)

const stamped = (extension = stamps()) =>
  server({ ...quiet, name: 'post', extensions: [extension] })
    .tool('send', { stamp: 'paid' }, () => 'sent')
    .tool('express', { stamp: 'paid' }, (_, ctx) => {
      ctx.restamp('prior')
      return 'sent'
    })
    .tool('plain', {}, () => 'sent')

test('extension: is declared by both sides with its settings, and by neither where it is off', async () => {
  let seen: unknown
  const post = stamped().tool('look', {}, (_, { caller }) => {
    seen = caller.capabilities.extensions
  })
  await using on = await join(post, { extensions: [stamps()] })
  assert.deepEqual(on.client.capabilities.extensions, { [stampsId]: { inks: ['red'] } })
  await on.client.tools.call('look', {})
  assert.deepEqual(seen, { [stampsId]: { inks: ['blue'] } })
  await using off = await join(post)
  await off.client.tools.call('look', {})
  assert.equal(seen, undefined)
})

test('extension: its definition members, context members, call options and result members work and are typed', async () => {
  await using both = await join(stamped(), { extensions: [stamps()] })
  const { tools } = both.client
  assert.equal((await tools.call('send', {})).stamp, 'paid')
  assert.equal((await tools.call('send', {}, { ink: 'green' })).stamp, 'paid (green)')
  assert.equal((await tools.call('express', {})).stamp, 'prior')
  assert.equal((await tools.call('plain', {})).stamp, undefined)
  const [send] = await tools.list().all()
  assert.deepEqual(send?._meta, { [`${stampsId}/stamp`]: 'paid' })
})

test('extension: its types are there only where it is switched on', async () => {
  const off = server({ ...quiet, name: 'post' })
  assert.throws(
    // @ts-expect-error the extension is not switched on
    () => off.tool('send', { stamp: 'paid' }, () => 'sent'),
    /unknown member "stamp"; remove it, or switch on/,
  )
  // @ts-expect-error the extension is not switched on
  off.tool('express', {}, (_, ctx) => ctx.restamp)
  await using both = await join(stamped())
  // @ts-expect-error the extension is not switched on
  assert.equal(both.client.stamps, undefined)
  // @ts-expect-error the extension is not switched on
  assert.equal(both.client.tools.stampOf, undefined)
})

test('extension: a result of its own kind is understood by a client that has it switched on, and by no other', async () => {
  const post = stamped()
  await using on = await join(post, { extensions: [stamps()] })
  assert.equal(await on.client.tools.stampOf('send', {}), 'paid')
  await using off = await join(post)
  const meta = { [`${stampsId}/stamp`]: { only: true } }
  await assert.rejects(off.client.tools.call('send', {}, { meta }), /resultType "com.example\/stamp-only" is unknown/)
})

test('extension: its methods are served where it is on, and do not exist where it is off', async () => {
  const post = stamped()
  await using on = await join(post, { extensions: [stamps()] })
  await on.client.tools.call('express', {})
  assert.deepEqual(await on.client.stamps.known(), ['prior'])
  await assert.rejects(on.client.request('com.example/stamps/list', { prefix: 7 }), {
    code: -32602,
    message: /params\.prefix/,
  })
  await using off = await join(post)
  await assert.rejects(off.client.request('com.example/stamps/list', {}), /does not have it/)
  await using without = await join(server({ ...quiet, name: 'bare' }), { extensions: [stamps()] })
  await assert.rejects(without.client.stamps.known(), { code: -32601 })
})

test('extension: its reports arrive on a stream of its own, after its acknowledgement', async () => {
  const post = stamped()
  await using both = await join(post, { extensions: [stamps()] })
  const enough = new AbortController()
  assert.deepEqual(await both.client.stamps.watch(enough.signal), { stamps: true })
  await both.client.tools.call('send', {})
  await both.client.ping()
  assert.equal(both.client.stamps.heard.at(-1)?.stamp, 'paid')
  enough.abort()
})

test('extension: over HTTP the name of what its method is about travels as a header, and has to fit', async () => {
  await using listening = await serveHttp(stamped(), { port: 0 })
  const heard: (string | null)[] = []
  const spying: typeof fetch = (url, init) => {
    heard.push(new Headers(init?.headers).get('mcp-name'))
    return fetch(url, init)
  }
  await using client = await connect(new URL(listening.url), { extensions: [stamps()], http: { fetch: spying } })
  await client.stamps.known()
  assert.equal(heard.at(-1), 'p')
})

test('extension: one that only stateless revisions speak changes nothing for the others', async () => {
  for (const revision of older) {
    await using both = await join(stamped(), { extensions: [stamps()], revisions: [revision] })
    assert.equal(both.client.capabilities.extensions, undefined)
    await assert.rejects(both.client.stamps.known(), /does not have it/)
  }
})

test('extension: one that every revision speaks is declared and served in each', async () => {
  await everyRevision(
    stamped(stamps({ handshake: true })),
    async ({ client }) => {
      assert.deepEqual(client.capabilities.extensions, { [stampsId]: { inks: ['red'] } })
      await client.tools.call('express', {})
      assert.deepEqual(await client.stamps.known(), ['prior'])
    },
    { extensions: [stamps({ handshake: true })] },
  )
})

test('extension: a bad id, the same one twice, and a bad definition are refused by name', () => {
  const post = { ...quiet, name: 'post' }
  for (const id of ['stamps', 'com.example/', '/x', 'com..example/x', '1com/x', 'com.example/x/'])
    assert.throws(() => server({ ...post, extensions: [{ id }] }), /an id is a reversed domain name, a slash, a name/)
  assert.throws(() => server({ ...post, extensions: [stamps(), stamps()] }), /it is already enabled/)
  assert.throws(() => stamped().tool('bad', { stamp: '' }, () => 'sent'), /"stamp" is empty/)
})

test('extension: one that brings a member that is there already is refused', async () => {
  const greedy = { id: 'com.example/greedy', client: () => ({ connected: () => ({ client: { tools: {} } }) }) }
  await assert.rejects(join(stamped(), { extensions: [greedy] }), /the client has a member "tools" already/)
})

test(`extension: off, nothing of it is on the wire in revision ${newest}`, async () => {
  await using both = await join(server({ ...quiet, name: 'bare' }).tool('plain', {}, () => 'x'))
  await both.client.tools.call('plain', {})
  assert.doesNotMatch(both.transcript.toString(), /extensions/)
})
