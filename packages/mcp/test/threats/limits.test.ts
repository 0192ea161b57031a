/** Limits to everything there can be many of: a request beyond them is told when to come back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { server } from '@trunkline/mcp'
import { toFetch } from '@trunkline/mcp/http'
import { serveHttp } from '@trunkline/mcp/node'
import { until } from '../../../../tools/lib/until.ts'
import { quiet } from '../fixtures/quiet.ts'
import { gate } from '../gate.ts'
import { counting } from './counting.ts'
import { type Answer, type Called, faces, openSession, saidIn } from './faces.ts'
import { listen, opening, sessionCall, toolCall, within } from './messages.ts'
import { RawConnection, rawLetter, sendRaw } from './raw-socket.ts'

/** A server with a tool that waits until it may go on. */
function waiting() {
  const { promise, open } = gate()
  let waits = 0
  const definition = server({ name: 'waiting', ...quiet }).tool('wait', {}, async () => {
    waits += 1
    await promise
    return 'went on'
  })
  return { definition, open, waits: (count: number) => until(() => waits === count, `${count} calls to wait`) }
}

function assertBusy({ status, headers }: Answer): void {
  assert.equal(status, 503)
  assert.match(headers.get('retry-after') ?? '', /^\d+$/)
}

for (const [name, open] of Object.entries(faces)) {
  test(`${name} face: so many requests are served at once, whatever they belong to, and no more`, async () => {
    const slow = waiting()
    await using face = await open(slow.definition, { limits: { maxRequestsInFlight: 4 } })
    const session = await openSession(face)
    const calls = [
      ...[1, 2].map((id) => face.send(toolCall('wait', {}, id))),
      ...[3, 4].map((id) => face.send(sessionCall(session, 'wait', {}, id))),
    ]
    await slow.waits(4)
    // a tool that is not there: if one more were served, it would not wait
    for (const letter of [toolCall('none'), sessionCall(session, 'none', {}, 5), opening('2025-11-25')]) {
      assertBusy(await face.send(letter))
    }
    // a notification takes no slot, or no client could cancel
    const cancelled = { method: 'notifications/cancelled', params: { requestId: 4 } }
    assert.equal((await face.send(within(session, cancelled))).status, 202)
    slow.open()
    const said = await Promise.all(calls.slice(0, 3))
    assert.deepEqual(said.map(saidIn), ['went on', 'went on', 'went on'])
    assert.equal((await calls[3])?.text, '')
    assert.equal(saidIn(await face.send(toolCall('wait'))), 'went on')
    assert.equal(saidIn(await face.send(sessionCall(session, 'wait', {}, 4))), 'went on')
  })

  test(`${name} face: a slot comes back from a client that leaves, and from a session that ends`, async () => {
    const slow = waiting()
    await using face = await open(slow.definition, { limits: { maxRequestsInFlight: 1 } })
    for (let round = 1; round <= 3; round++) {
      const session = await openSession(face)
      const call = face.send(sessionCall(session, 'wait'))
      await slow.waits(round)
      assertBusy(await face.send(toolCall('none')))
      assert.equal((await face.send({ method: 'DELETE', headers: session })).status, 200)
      await call
    }
    slow.open()
    assert.equal(saidIn(await face.send(toolCall('wait'))), 'went on')
  })

  test(`${name} face: sessions have an end, and one that is over makes room`, async () => {
    await using face = await open(counting().definition, { limits: { maxSessions: 3 } })
    const sessions = [await openSession(face), await openSession(face), await openSession(face)]
    assertBusy(await face.send(opening('2025-11-25')))
    assert.equal((await face.send({ method: 'DELETE', headers: sessions[1] ?? {} })).status, 200)
    assert.equal((await face.send(opening('2025-11-25'))).status, 200)
    assertBusy(await face.send(opening('2025-11-25')))
  })
}

for (const [name, open] of Object.entries({ node: faces.node, fetch: faces.fetch })) {
  test(`${name} face: one caller cannot take what is shared by all`, async () => {
    const slow = waiting()
    const options = { limits: { maxRequestsInFlightPerCaller: 2, maxSessionsPerCaller: 2 } }
    await using face = await open(slow.definition, options)
    const greedy = { principal: 'greedy' }
    const session = await openSession(face, greedy)
    const calls = [toolCall('wait', {}, 1), sessionCall(session, 'wait', {}, 2)].map((one) =>
      face.send({ ...one, ...greedy }),
    )
    await slow.waits(2)
    assertBusy(await face.send({ ...toolCall('none'), ...greedy }))
    assertBusy(await face.send({ ...sessionCall(session, 'none', {}, 3), ...greedy }))
    const other = face.send({ ...toolCall('wait'), principal: 'modest' })
    await slow.waits(3)
    slow.open()
    for (const answer of await Promise.all([...calls, other])) assert.equal(saidIn(answer), 'went on')
    await openSession(face, greedy)
    assertBusy(await face.send({ ...opening('2025-11-25'), ...greedy }))
    assert.equal((await face.send({ ...opening('2025-11-25'), principal: 'modest' })).status, 200)
  })
}

test('serveHttp: so many may listen at once and no more, which takes nothing from those who call', async () => {
  const counted = counting()
  await using listening = await serveHttp(counted.definition, {
    limits: { maxListeners: 3, maxRequestsInFlight: 1 },
  })
  const port = Number(new URL(listening.url).port)
  const open = await Promise.all([1, 2, 3].map(() => RawConnection.to(port)))
  for (const connection of open) {
    connection.write(rawLetter(listen()))
    await connection.until(/subscriptions\/acknowledged/)
  }
  const late = await sendRaw(port, rawLetter(listen()))
  assert.equal(late?.status, 503)
  assert.match(late.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal((await sendRaw(port, rawLetter(toolCall('count'))))?.status, 200)
  open[0]?.socket.destroy()
  await until(() => counted.definition.live.watchers === 2, 'a listener to be missed')
  using next = await RawConnection.to(port)
  next.write(rawLetter(listen()))
  await next.until(/subscriptions\/acknowledged/)
  for (const connection of open) connection.socket.destroy()
})

test('toFetch: one caller may listen so many times and no more, and again once a stream ends', async () => {
  const handler = toFetch(counting().definition, { limits: { maxListenersPerCaller: 2 } })
  const listenAs = (principal: string): Promise<Response> => {
    const { headers, body } = listen()
    return handler.handle(new Request('http://localhost/mcp', { method: 'POST', headers, body }), { principal })
  }
  const greedy = [await listenAs('greedy'), await listenAs('greedy')]
  const late = await listenAs('greedy')
  assert.deepEqual([late.status, late.headers.get('retry-after')], [503, '1'])
  assert.equal((await listenAs('modest')).status, 200)
  await greedy[0]?.body?.cancel()
  assert.equal((await listenAs('greedy')).status, 200)
  assert.equal((await listenAs('greedy')).status, 503)
  await handler.close()
})

test('serveHttp: bodies that arrive slowly together take only so much memory, and short ones pass them', async () => {
  await using listening = await serveHttp(counting().definition, { limits: { maxArrivingBytes: 2_500_000 } })
  const port = Number(new URL(listening.url).port)
  const long = rawLetter(toolCall('echo', { text: 'x'.repeat(1_000_000) }))
  const slow = await Promise.all(Array.from({ length: 5 }, () => RawConnection.to(port)))
  const refused = Promise.race(slow.map((connection) => connection.answer()))
  for (const connection of slow) connection.write(long.slice(0, -1))
  assert.equal((await refused)?.status, 503)
  assert.match((await refused)?.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal((await sendRaw(port, rawLetter(toolCall('count'))))?.status, 200)
  for (const { socket } of slow) socket.destroy()
  for (let tries = 0; (await sendRaw(port, long))?.status !== 200; tries++) assert.ok(tries < 1_000)
})

test('fetch face: bodies that arrive slowly together take only so much memory', async () => {
  const handler = toFetch(counting().definition, { limits: { maxArrivingBytes: 1_000 } })
  const { headers, body } = toolCall('count')
  const post = (stream: ReadableStream) =>
    handler(
      new Request('http://localhost/mcp', { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit),
    )
  const first = new TransformStream()
  const writer = first.writable.getWriter()
  const answer = post(first.readable)
  await writer.write(new TextEncoder().encode(body.padEnd(900)))
  const late = await post(new Blob([body]).stream())
  assert.deepEqual([late.status, late.headers.get('retry-after')], [503, '1'])
  await writer.close()
  assert.equal((await answer).status, 200)
  assert.equal((await post(new Blob([body]).stream())).status, 200)
})

test('serveHttp: connections have a limit, and one beyond it is refused with a time to come back', async () => {
  await using listening = await serveHttp(counting().definition, { limits: { maxConnections: 5 } })
  const port = Number(new URL(listening.url).port)
  const open = await Promise.all(Array.from({ length: 5 }, () => RawConnection.to(port)))
  const call = rawLetter(toolCall('count'))
  const late = await sendRaw(port, call)
  assert.equal(late?.status, 503)
  assert.match(late.headers.get('retry-after') ?? '', /^\d+$/)
  for (const connection of open) {
    connection.write(call)
    assert.equal((await connection.answer())?.status, 200)
  }
  // so many more are told, and the rest is not even accepted
  const crowd = await Promise.all(Array.from({ length: 200 }, () => RawConnection.to(port)))
  const left = (): RawConnection[] => crowd.filter(({ socket }) => !socket.closed)
  await until(() => left().length === 100, 'the rest to be dropped')
  for (const connection of left()) {
    connection.write(call)
    assert.equal((await connection.answer())?.status, 503)
  }
  for (const connection of [...open, ...crowd]) connection.socket.destroy()
  for (let tries = 0; (await sendRaw(port, call))?.status !== 200; tries++) assert.ok(tries < 1_000)
})

test('Sessions: an unused one is over after half an hour, one in use is not', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let minutes = 0
  t.mock.method(performance, 'now', () => minutes * 60_000)
  const pass = async (count: number): Promise<void> => {
    for (const end = minutes + count; minutes < end; t.mock.timers.tick(60_000)) {
      minutes += 1
      // a listening client reads what comes
      await setImmediate()
    }
  }
  const counted = counting()
  const handler = toFetch(counted.definition)
  const face: Called = {
    async send({ method = 'POST', headers = {}, body }) {
      const response = await handler(new Request('http://localhost/mcp', { method, headers, body: body as string }))
      return { status: response.status, headers: response.headers, text: await response.text() }
    },
  }
  const sessions = [await openSession(face), await openSession(face), await openSession(face)]
  const [used = {}, , listening = {}] = sessions
  const open = { accept: 'text/event-stream', ...listening }
  const reader = (await handler(new Request('http://localhost/mcp', { headers: open }))).body?.getReader()
  const reading = (async () => {
    while (!(await reader?.read())?.done);
  })()
  await pass(29)
  assert.equal(counted.definition.live.connections, 3)
  assert.equal((await face.send(within(used, { id: 1, method: 'ping' }))).status, 200)
  await pass(2)
  assert.equal(counted.definition.live.connections, 2)
  await reader?.cancel()
  await reading
  await pass(28)
  assert.equal(counted.definition.live.connections, 2)
  await pass(4)
  assert.equal(counted.definition.live.connections, 0)
  for (const session of sessions) {
    assert.equal((await face.send(within(session, { id: 2, method: 'ping' }))).status, 404)
  }
})
