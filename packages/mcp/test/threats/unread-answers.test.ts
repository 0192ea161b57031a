/** Unread answers: what they take up together, for how long, and whose place they hold. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { WebSocket } from 'ws'
import { isLong } from '../../../../tools/lib/long-form.ts'
import { until } from '../../../../tools/lib/until.ts'
import { quiet } from '../fixtures/quiet.ts'
import { start } from './children/child.ts'
import { type Called, faceAt, openSession, saidIn } from './faces.ts'
import { meta, opening, sessionCall, toolCall } from './messages.ts'
import { RawConnection, rawLetter, rawRequest, sendRaw } from './raw-socket.ts'

/** Of 12 MB each, together more than they may take up. */
const answers = isLong ? 20 : 12

/** Asks for something on a connection from which nothing is read. */
async function unread(port: number, letter: Parameters<typeof rawLetter>[0]): Promise<RawConnection> {
  const connection = await RawConnection.to(port)
  connection.socket.pause()
  connection.write(rawLetter(letter))
  return connection
}

const shapes: { readonly [name: string]: (face: Called) => Promise<(at: number) => Parameters<typeof rawLetter>[0]> } =
  {
    'requests that explain themselves': async () => () => toolCall('large'),
    async 'requests of a session'(face) {
      const session = await openSession(face)
      return (at) => sessionCall(session, 'large', {}, at)
    },
  }

for (const [shape, letters] of Object.entries(shapes)) {
  test(`${shape}: unread answers take up so much together and no more`, async (t) => {
    await using child = await start('unread-server.ts', { flags: ['--expose-gc'] })
    const face = faceAt(child.url)
    const letter = await letters(face)
    const memory = async (): Promise<number> => Number(saidIn(await face.send(toolCall('memory'))))
    for (let at = 0; at < 5; at++) await face.send(letter(at))
    const before = await memory()
    const connections: RawConnection[] = []
    for (let at = 0; at < answers; at++) connections.push(await unread(child.port, letter(at)))
    await until(
      async () => Number(saidIn(await face.send(toolCall('served')))) === 5 + answers,
      'all calls to be served',
    )
    const grown = (await memory()) - before
    t.diagnostic(`${Math.round(grown / 1_048_576)} MiB for ${answers} answers of 12 MB`)
    assert.ok(grown < 100_000_000, `${grown}`)
    for (const { socket } of connections) socket.resume()
    await Promise.race(connections.map(({ whenClosed }) => whenClosed))
    for (const { socket } of connections) socket.destroy()
  })
}

/** A server in this process that serves one request at a time, of which a flood of log messages is one. */
async function small() {
  const definition = server({ name: 'small', ...quiet })
    .tool('large', {}, () => 'x'.repeat(16_000_000))
    .tool('flood', {}, (_, ctx) => {
      for (let at = 0; at < 2_000; at++) void ctx.log('error', 'x'.repeat(10_000))
      return 'flooded'
    })
  const listening = await serveHttp(definition, { sse: true, websocket: true, limits: { maxRequestsInFlight: 1 } })
  const face = faceAt(listening.url)
  return {
    definition,
    face,
    port: Number(new URL(listening.url).port),
    isBusy: async () => (await face.send(toolCall('none'))).status === 503,
    [Symbol.asyncDispose]: () => listening.close(),
  }
}

for (const [shape, letters] of Object.entries(shapes)) {
  test(`${shape}: one is under way until its answer was read, and no longer`, async () => {
    await using at = await small()
    const letter = await letters(at.face)
    const connection = await unread(at.port, letter(1))
    await until(at.isBusy, 'the call to be under way')
    for (let turn = 0; turn < 20; turn++) assert.ok(await at.isBusy())
    connection.socket.resume()
    await until(async () => !(await at.isBusy()), 'the answer to be read')
    const again = await unread(at.port, letter(2))
    await until(at.isBusy, 'the call to be under way')
    again.socket.destroy()
    await until(async () => !(await at.isBusy()), 'the reader to be missed')
    connection.socket.destroy()
  })
}

const logged = { ...meta, 'io.modelcontextprotocol/logLevel': 'debug' }

/** Makes one connection on which more is said than is read; tells when it is there, and when it is gone. */
const floods: { readonly [name: string]: (at: Awaited<ReturnType<typeof small>>) => Promise<Flood> } = {
  async 'an answer of JSON'(at) {
    const { socket } = await unread(at.port, toolCall('large'))
    return { isThere: at.isBusy, close: () => socket.destroy() }
  },
  async 'a stream about one call'(at) {
    const { headers } = toolCall('flood')
    const params = { name: 'flood', arguments: {}, _meta: logged }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const { socket } = await unread(at.port, { headers, body })
    return { isThere: at.isBusy, close: () => socket.destroy() }
  },
  async 'the stream of the oldest transport'(at) {
    const connection = await RawConnection.to(at.port)
    connection.write(rawRequest('GET', '/sse', ['Host: localhost', 'Accept: text/event-stream']))
    const [, path = ''] = /^data: (.+)$/m.exec(await connection.until(/^data: .+$/m)) ?? []
    await sendRaw(at.port, rawLetter(opening('2024-11-05'), path))
    await connection.until(/"protocolVersion"/)
    connection.socket.pause()
    await sendRaw(at.port, rawLetter(sessionCall({}, 'flood'), path))
    return { isThere: async () => at.definition.live.connections === 1, close: () => connection.socket.destroy() }
  },
  async 'a WebSocket'(at) {
    const socket = new WebSocket(`ws://127.0.0.1:${at.port}/mcp`, 'mcp')
    await once(socket, 'open')
    socket.send(opening('2025-11-25').body)
    await once(socket, 'message')
    socket.pause()
    socket.send(sessionCall({}, 'flood').body)
    return { isThere: async () => at.definition.live.connections === 1, close: () => socket.terminate() }
  },
}

interface Flood {
  isThere(): Promise<boolean>
  close(): void
}

for (const [name, begin] of Object.entries(floods)) {
  test(`${name}: a client that does not read it is disconnected when the time is up`, async ({ mock }) => {
    mock.timers.enable({ apis: ['setInterval'] })
    let now = 0
    mock.method(performance, 'now', () => now)
    const pass = (ms: number): void => {
      now += ms
      mock.timers.tick(ms)
    }
    await using at = await small()
    const flood = await begin(at)
    await until(flood.isThere, 'the flood')
    for (let turn = 0; turn < 50; turn++) await setImmediate()
    pass(30_000)
    for (let turn = 0; turn < 50; turn++) await setImmediate()
    assert.ok(await flood.isThere())
    pass(60_000 + 16_000_000 / 64)
    await until(async () => !(await flood.isThere()), 'the reader to be disconnected')
    flood.close()
  })
}
