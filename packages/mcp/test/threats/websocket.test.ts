/** WebSocket connections, which browsers open to anywhere without asking: the guard stands before them as well. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { connect, server } from '@trunkline/mcp'
import { type HttpServerOptions, serveHttp } from '@trunkline/mcp/node'
import { WebSocket } from 'ws'
import { until } from '../../../../tools/lib/until.ts'
import { quiet } from '../fixtures/quiet.ts'
import { gate } from '../gate.ts'
import { soon } from '../soon.ts'
import { counting } from './counting.ts'
import { toolCall } from './messages.ts'
import { RawConnection, rawLetter, sendRaw } from './raw-socket.ts'
import { handshake } from './raw-websocket.ts'

async function open(limits: HttpServerOptions['limits'] = {}) {
  const counted = counting()
  const listening = await serveHttp(counted.definition, { websocket: true, limits })
  const port = Number(new URL(listening.url).port)
  return { url: `ws://127.0.0.1:${port}/mcp`, port, counted, [Symbol.asyncDispose]: () => listening.close() }
}

test('acceptWebSockets: a bad Host or Origin opens nothing', async () => {
  await using at = await open()
  for (const lines of [
    ...[['Host: evil.test'], ['Host: localhost', 'Host: evil.test'], ['Host: localhost', 'Origin: http://evil.test']],
    ...[
      ['Host: localhost', 'Origin: null'],
      ['Host: localhost', 'Origin: http://localhost', 'Origin: http://evil.test'],
    ],
  ]) {
    assert.equal((await sendRaw(at.port, handshake(lines)))?.status, 403, lines.join())
  }
  assert.equal((await sendRaw(at.port, handshake(['Host: localhost']).replace('/mcp', '/other')))?.status, 404)
  assert.equal((await sendRaw(at.port, handshake(['Host: localhost'])))?.status, 101)
})

test('acceptWebSockets: without it no upgrade is accepted', async () => {
  await using listening = await serveHttp(counting().definition)
  const answer = await sendRaw(Number(new URL(listening.url).port), handshake(['Host: localhost']))
  assert.ok(answer && answer.status >= 400, `${answer?.status}`)
})

test('acceptWebSockets: only a GET that asks for a WebSocket is taken for one', async () => {
  await using at = await open()
  const letter = toolCall('count')
  for (const upgrade of ['h2c', 'websocket', 'TLS/1.0, HTTP/1.1']) {
    const upgrading = {
      ...letter.headers,
      connection: 'Upgrade, HTTP2-Settings',
      upgrade,
      'http2-settings': 'AAMAAABkAAQ',
    }
    using connection = await RawConnection.to(at.port)
    for (const _ of ['first', 'and on the same connection']) {
      connection.write(rawLetter({ ...letter, headers: upgrading }))
      assert.equal((await connection.answer())?.status, 200, upgrade)
    }
  }
  assert.equal(at.counted.reached, 6)
  const asking = handshake(['Host: localhost'])
  const session = await sendRaw(at.port, asking.replace('websocket', 'h2c'))
  assert.equal(session?.status, 400, 'an ordinary GET, which lacks the header of a session')
  assert.equal((await sendRaw(at.port, asking.replace('websocket', 'WebSocket')))?.status, 101)
})

test('acceptWebSockets: a client that breaks off while being refused or let in does no harm', async () => {
  await using at = await open()
  for (let round = 0; round < 50; round++) {
    const connection = await RawConnection.to(at.port)
    connection.write(handshake([round % 2 ? 'Host: evil.test' : 'Host: localhost']))
    connection.socket.resetAndDestroy()
    await connection.closing()
  }
  await using client = await connect(new URL(at.url))
  assert.deepEqual((await client.tools.call('count', {})).content, [{ type: 'text', text: '1' }])
})

test('acceptWebSockets: connections and messages have an end', async () => {
  await using at = await open({ maxWebSockets: 2, maxMessageBytes: 1_000 })
  const sockets = [1, 2].map(() => new WebSocket(at.url, 'mcp'))
  await Promise.all(sockets.map((socket) => once(socket, 'open')))
  const late = await sendRaw(at.port, handshake(['Host: localhost']))
  assert.deepEqual([late?.status, late?.headers.get('retry-after')], [503, '1'])
  const [greedy, silent] = sockets as [WebSocket, WebSocket]
  greedy.on('error', () => {})
  greedy.send('x'.repeat(1_001))
  assert.equal((await soon(once(greedy, 'close'), 'a large message to end the connection'))[0], 1009)
  silent.send(Buffer.from('binary'))
  assert.equal((await soon(once(silent, 'close'), 'a binary message to end the connection'))[0], 1003)
})

test('acceptWebSockets: a client that does not read is not read from, and is served when it reads again', async () => {
  let served = 0
  const definition = server({ name: 'large', ...quiet }).tool('large', {}, () => {
    served += 1
    return 'x'.repeat(1_000_000)
  })
  await using listening = await serveHttp(definition, { websocket: true })
  const socket = new WebSocket(listening.url.replace('http', 'ws'), 'mcp')
  await once(socket, 'open')
  socket.pause()
  const asked = 150
  for (let id = 0; id < asked; id++) socket.send(toolCall('large', { padding: 'x'.repeat(65_536) }, id).body)
  // until nothing moves any more
  for (let before = -1; served !== before; await wait(200)) before = served
  assert.ok(served < asked / 2, `${served} of ${asked} are served although none is read`)
  const answered = new Set<number>()
  socket.on('message', (data) => answered.add(JSON.parse(String(data)).id))
  socket.resume()
  await until(() => answered.size === asked, 'all answers')
  socket.terminate()
})

test('acceptWebSockets: a tool that waits for a reader is let go when the reader leaves', async () => {
  const { promise: isOver, open: over } = gate<string>()
  const definition = server({ name: 'talkative', ...quiet }).tool('talk', {}, async (_, ctx) => {
    try {
      for (let step = 1; !ctx.signal.aborted; step++) await ctx.progress(step, undefined, 'x'.repeat(1_000_000))
    } finally {
      over('let go')
    }
    return 'never heard'
  })
  await using listening = await serveHttp(definition, { websocket: true })
  const socket = new WebSocket(listening.url.replace('http', 'ws'), 'mcp')
  await once(socket, 'open')
  socket.pause()
  const { body } = toolCall('talk')
  socket.send(body.replace('"_meta":{', '"_meta":{"progressToken":1,'))
  await wait(200)
  socket.terminate()
  assert.equal(await soon(isOver, 'the tool to be released'), 'let go')
})

test('acceptWebSockets: a tool that waits for a reader goes on when the reader reads again', async () => {
  const definition = server({ name: 'talkative', ...quiet }).tool('talk', {}, async (_, ctx) => {
    for (let step = 1; step <= 20; step++) await ctx.progress(step, undefined, 'x'.repeat(1_000_000))
    return 'said it all'
  })
  await using listening = await serveHttp(definition, { websocket: true })
  const socket = new WebSocket(listening.url.replace('http', 'ws'), 'mcp')
  await once(socket, 'open')
  socket.pause()
  const answer = new Promise<string>((resolve) => {
    socket.on('message', (data) => {
      const text = String(data)
      if (text.includes('said it all')) resolve(text)
    })
  })
  const { body } = toolCall('talk')
  socket.send(body.replace('"_meta":{', '"_meta":{"progressToken":1,'))
  await wait(200)
  socket.resume()
  assert.match(await soon(answer, 'the answer of the tool'), /said it all/)
  socket.terminate()
})

test('acceptWebSockets: a large answer after a large answer arrives, and a reader who rests is not cut off', async () => {
  const definition = server({ name: 'large', ...quiet }).tool('large', {}, () => 'x'.repeat(6_000_000))
  await using listening = await serveHttp(definition, { websocket: true })
  await using client = await connect(new URL(listening.url.replace('http', 'ws')))
  const answers = await Promise.all([1, 2, 3].map(() => client.tools.call('large', {})))
  for (const { content } of answers) assert.equal(content[0]?.type === 'text' && content[0].text.length, 6_000_000)
})
