import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { type HttpOptions, toFetch } from '@trunkline/mcp/http'
import { serveHttp, toNode } from '@trunkline/mcp/node'
import { gate } from '../gate.ts'
import { Mailbox } from '../mailbox.ts'
import { soon } from '../soon.ts'
import { listening } from './faces.ts'

const revisions = ['2026-07-28', '2025-11-25']
// a test that waited for it would time out
const patient = { drainMs: 2 ** 31 - 1 } as const satisfies HttpOptions

function working() {
  const done = gate<string>()
  const starts = new Mailbox<void>()
  const app = server({ name: 'working', version: '1', onError: () => {} }).tool('work', {}, () => {
    starts.put()
    return done.promise
  })
  return { app, started: () => starts.take(), done: done.open }
}

/** A server in this process, and a client far away from it. */
async function fetched(app: ReturnType<typeof working>['app'], revision: string, options: HttpOptions) {
  const handler = toFetch(app, options)
  const fetch = (url: string, init: RequestInit) => handler(new Request(url, init))
  return { handler, mcp: await connect('http://localhost/mcp', { http: { fetch }, revisions: [revision] }) }
}

for (const revision of revisions) {
  test(`close: a call under way is answered, in ${revision}`, async () => {
    const { app, started, done } = working()
    const { handler, mcp } = await fetched(app, revision, patient)
    const call = mcp.tools.call('work', {})
    await started()
    const closed = handler.close()
    let isClosed = false
    void closed.then(() => {
      isClosed = true
    })
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
    assert.equal(isClosed, false, 'it closed before the call was answered')
    done('done')
    assert.deepEqual((await call).content, [{ type: 'text', text: 'done' }])
    await closed
    await mcp.close()
  })

  test(`close: listeners for changes do not delay it, in ${revision}`, async () => {
    const { app } = working()
    const { handler, mcp } = await fetched(app, revision, patient)
    await mcp.watch({ tools: true }, () => {})
    await handler.close()
    assert.deepEqual(app.live, { connections: 0, watchers: 0 })
    await mcp.close()
  })
}

test('close: new requests are told to come back', async () => {
  const { app, started, done } = working()
  const { handler, mcp } = await fetched(app, '2026-07-28', patient)
  const call = mcp.tools.call('work', {})
  await started()
  const closed = handler.close()
  const refused = await handler(new Request('http://localhost/mcp', { method: 'POST', body: '{}' }))
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1'])
  done('done')
  await call
  await closed
})

test('close: a call that takes longer than drainMs is not waited for', async () => {
  const { app, started } = working()
  const { handler, mcp } = await fetched(app, '2025-11-25', { drainMs: 1 })
  const call = assert.rejects(mcp.tools.call('work', {}), { outcome: 'Unknown' })
  await started()
  await handler.close()
  assert.deepEqual(app.live, { connections: 0, watchers: 0 })
  await mcp.close()
  await call
})

test('close: closing twice is closing once', async () => {
  const { app, started, done } = working()
  const { handler, mcp } = await fetched(app, '2025-11-25', patient)
  const call = mcp.tools.call('work', {})
  await started()
  const closed = [handler.close(), handler.close()]
  assert.equal(closed[0], closed[1])
  done('done')
  assert.deepEqual((await soon(call, 'the answer')).content, [{ type: 'text', text: 'done' }])
  await soon(Promise.all(closed), 'the end')
  assert.deepEqual(app.live, { connections: 0, watchers: 0 })
  await mcp.close()
})

test('close: a mounted listener lets the server around it close', async () => {
  const { app } = working()
  const listener = toNode(app, patient)
  const place = await listening(listener)
  const clients = await Promise.all(revisions.map((revision) => connect(place.url, { revisions: [revision] })))
  await Promise.all(clients.map((mcp) => mcp.watch({ tools: true }, () => {})))
  await soon(listener.close(), 'the listener to close')
  assert.deepEqual(app.live, { connections: 0, watchers: 0 })
  await Promise.all(clients.map((mcp) => mcp.close()))
  await soon(place[Symbol.asyncDispose](), 'the server around it to close')
})

test('serveHttp: close answers what is under way and ends what would never end', async () => {
  const { app, started, done } = working()
  const http = await serveHttp(app, patient)
  const clients = await Promise.all(revisions.map((revision) => connect(new URL(http.url), { revisions: [revision] })))
  await Promise.all(clients.map((mcp) => mcp.watch({ tools: true }, () => {})))
  const calls = clients.map((mcp) => mcp.tools.call('work', {}))
  await Promise.all([started(), started()])
  const closed = http.close()
  done('done')
  for (const { content } of await Promise.all(calls)) assert.deepEqual(content, [{ type: 'text', text: 'done' }])
  await closed
  await Promise.all(clients.map((mcp) => mcp.close()))
})
