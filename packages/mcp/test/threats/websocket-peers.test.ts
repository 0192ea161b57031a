/** WebSocket peers that vanish, ping and do not read, ask and do not read, or send in pieces of one byte. */
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { WebSocket } from 'ws'
import { until } from '../../../../tools/lib/until.ts'
import { SlowReaders } from '../../src/transports/backpressure.ts'
import { ServerWebSocket } from '../../src/transports/http/node/server-websocket.ts'
import { Events } from '../fixtures/events.ts'
import { quiet } from '../fixtures/quiet.ts'
import { Recorder } from '../recorder.ts'
import { soon } from '../soon.ts'
import { start } from './children/child.ts'
import { faceAt, saidIn } from './faces.ts'
import { opening, sessionCall, toolCall } from './messages.ts'
import { sendRaw } from './raw-socket.ts'
import { frame, handshake, rawWebSocket } from './raw-websocket.ts'

const [text, continuation, ping] = [0x1, 0x0, 0x9]
// for tests that could only fail by waiting for ever
const within = { timeout: 120_000 }

async function opened(port: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/mcp`, 'mcp')
  await once(socket, 'open')
  socket.send(opening('2025-11-25').body)
  await once(socket, 'message')
  return socket
}

test('acceptWebSockets: a peer that vanished makes room, one that is only quiet stays', within, async () => {
  const definition = server({ name: 'quiet', ...quiet })
  const limits = { maxWebSockets: 2, maxPongMs: 60 }
  await using listening = await serveHttp(definition, { websocket: true, keepAliveMs: 20, limits })
  const port = Number(new URL(listening.url).port)
  const alive = await opened(port)
  let pings = 0
  alive.on('ping', () => {
    pings += 1
  })
  // it takes what comes, and never answers
  const vanished = await rawWebSocket(port)
  assert.equal((await sendRaw(port, handshake(['Host: localhost'])))?.status, 503)
  await vanished.closing()
  const next = await opened(port)
  await until(() => pings > 10, 'ten pings to be answered')
  assert.equal(alive.readyState, alive.OPEN)
  alive.terminate()
  next.terminate()
})

test('acceptWebSockets: a peer that pings and does not read costs no more for the next ping', async (t) => {
  await using child = await start('unread-server.ts', { flags: ['--expose-gc'] })
  const face = faceAt(child.url)
  const memory = async (): Promise<number> => Number(saidIn(await face.send(toolCall('memory'))))
  const connection = await rawWebSocket(child.port)
  connection.socket.pause()
  const pings = Buffer.concat(Array.from({ length: 10_000 }, () => frame(ping, Buffer.alloc(125, 'x'))))
  const send = async (times: number): Promise<void> => {
    for (let round = 0; round < times; round++) {
      await new Promise((resolve) => connection.socket.write(pings, resolve))
      await face.send(toolCall('served'))
    }
  }
  // until no more pongs leave
  await send(10)
  const before = await memory()
  await send(20)
  const grown = (await memory()) - before
  t.diagnostic(`${Math.round(grown / 1_024)} KiB for ${Math.round((20 * pings.length) / 1_024)} KiB of pings`)
  assert.ok(grown < 20_000_000, `${grown}`)
  connection.socket.destroy()
})

test('acceptWebSockets: pings are answered with what they say, the last one also by who reads late', async () => {
  const definition = server({ name: 'ponging', ...quiet }).tool('large', {}, () => 'x'.repeat(16_000_000))
  await using listening = await serveHttp(definition, { websocket: true })
  const socket = await opened(Number(new URL(listening.url).port))
  const pongs: string[] = []
  socket.on('pong', (payload) => pongs.push(String(payload)))
  socket.ping('first')
  await until(() => pongs.length === 1, 'a pong')
  socket.send(sessionCall({}, 'large').body)
  socket.pause()
  for (let round = 0; round < 100; round++) {
    socket.ping(`round ${round}`)
    await new Promise(setImmediate)
  }
  socket.resume()
  await until(() => pongs.at(-1) === 'round 99', 'the last pong')
  assert.equal(pongs[0], 'first')
  socket.terminate()
})

test('acceptWebSockets: a client that does not read its answers is not read from', async () => {
  let served = 0
  const definition = server({ name: 'large', ...quiet }).tool('large', {}, () => {
    served += 1
    return 'x'.repeat(1_000_000)
  })
  await using listening = await serveHttp(definition, { websocket: true })
  const socket = await opened(Number(new URL(listening.url).port))
  socket.pause()
  let answers = 0
  socket.on('message', () => {
    answers += 1
  })
  // so large that not many of them can wait on the way
  const padding = 'x'.repeat(500_000)
  for (let id = 1; id <= 60; id++) socket.send(sessionCall({}, 'large', { padding }, id).body)
  let before = -1
  await until(() => {
    const isStill = served === before && served > 0
    before = served
    return isStill
  }, 'the server to stop reading')
  assert.ok(served < 50, `${served}`)
  socket.resume()
  await until(() => answers === 60, 'all answers')
  assert.equal(served, 60)
  socket.terminate()
})

test('acceptWebSockets: a tool that waits for its reader goes on when the reader is gone', within, async () => {
  const events = new Events()
  const definition = server({ name: 'waiting', ...quiet }).tool('flood', {}, async (_, ctx) => {
    for (let round = 0; round < 2_000; round++) {
      const written = ctx.log('error', 'x'.repeat(10_000))
      events.emit('wrote')
      await written.catch(() => {})
      if (ctx.signal.aborted) break
    }
    events.emit('over')
    return 'flooded'
  })
  await using listening = await serveHttp(definition, { websocket: true })
  const socket = await opened(Number(new URL(listening.url).port))
  socket.pause()
  socket.send(sessionCall({}, 'flood').body)
  await events.next('wrote')
  for (let isFlowing = true; isFlowing; ) {
    isFlowing = await Promise.race([
      events.next('wrote').then(() => true),
      new Promise<boolean>((resolve) => setTimeout(resolve, 300, false)),
    ])
  }
  socket.terminate()
  await events.next('over')
})

/** A connection that closes and never says what became of what was sent. */
class SilentSocket extends EventEmitter {
  readonly OPEN = 1
  readonly CLOSED = 3
  readyState = 1
  bufferedAmount = 0

  send(text: string): void {
    this.bufferedAmount += text.length
  }

  disappear(): void {
    this.readyState = this.CLOSED
    this.emit('close')
  }
}

test('ServerWebSocket: a sender that waits is released when the connection closes, whatever became of its messages', async () => {
  const socket = new SilentSocket()
  const limits = { maxUnreadBytesPerConnection: 4_194_304, maxUnreadBytes: 268_435_456, maxUnreadMs: 60_000 }
  const readers = new SlowReaders(limits)
  const channel = new ServerWebSocket(socket as never, { sender: {} }, readers)
  const receiver = new Recorder()
  channel.open(receiver)
  const sent = channel.send({ jsonrpc: '2.0', method: 'notifications/message', params: { data: 'x'.repeat(100_000) } })
  assert.ok(sent instanceof Promise)
  socket.disappear()
  await soon(sent, 'the sender to be released')
  assert.equal(receiver.reasons.length, 1)
  assert.deepEqual(readers.live, { readers: 0, bytes: 0 })
})

test('acceptWebSockets: a message in fragments of one byte is taken up to a number of them', async () => {
  await using listening = await serveHttp(server({ name: 'pieces', ...quiet }), {
    websocket: true,
    limits: { maxMessageBytes: 65_536 },
  })
  const port = Number(new URL(listening.url).port)
  const inFragments = (letters: string): Buffer =>
    Buffer.concat(
      Array.from(letters, (letter, at) =>
        frame(at === 0 ? text : continuation, Buffer.from(letter), at === letters.length - 1),
      ),
    )
  using welcome = await rawWebSocket(port)
  welcome.write(inFragments(opening('2025-11-25').body))
  await welcome.until(/"protocolVersion"/)
  using greedy = await rawWebSocket(port)
  greedy.write(inFragments('x'.repeat(20_000)))
  await greedy.closing()
})
