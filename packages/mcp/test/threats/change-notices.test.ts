/** Changes while a stream is not read: however full it is, a client that reads on hears of each of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type Server, server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { WebSocket } from 'ws'
import { quiet } from '../fixtures/quiet.ts'
import { faceAt, openSession } from './faces.ts'
import { opening, standalone, within } from './messages.ts'
import { RawConnection, rawLetter, rawRequest, sendRaw } from './raw-socket.ts'

const uris = Array.from({ length: 400 }, (_, at) => `note:${at}:${'x'.repeat(20_000)}`)
const last = 'note:last'

/** A reader that rests until it is told to read on. */
interface Resting {
  readOn(onText: (text: string) => void): void
  close(): void
}

type Open = (port: number) => Promise<Resting>

function resting({ socket }: RawConnection): Resting {
  socket.pause()
  return {
    readOn(onText) {
      socket.removeAllListeners('data').on('data', (chunk) => onText(chunk.toString('latin1')))
      socket.resume()
    },
    close: () => socket.destroy(),
  }
}

const subscribing = [...uris, last].map((uri, at) => ({ id: at + 10, method: 'resources/subscribe', params: { uri } }))

const shapes: { readonly [name: string]: Open } = {
  async 'a listener of the newest revision'(port) {
    const connection = await RawConnection.to(port)
    const notifications = { resourceSubscriptions: [...uris, last] }
    connection.write(rawLetter(standalone('subscriptions/listen', { notifications })))
    await connection.until(/subscriptions\/acknowledged/)
    return resting(connection)
  },

  async 'the stream of a session'(port) {
    const face = faceAt(`http://127.0.0.1:${port}/mcp`)
    const session = await openSession(face)
    for (const message of subscribing) assert.equal((await face.send(within(session, message))).status, 200)
    const connection = await RawConnection.to(port)
    const headers = Object.entries({ accept: 'text/event-stream', ...session }).map((line) => line.join(': '))
    connection.write(rawRequest('GET', '/mcp', ['Host: localhost', ...headers]))
    await connection.until(/200 OK/)
    return resting(connection)
  },

  async 'the stream of the oldest transport'(port) {
    const connection = await RawConnection.to(port)
    connection.write(rawRequest('GET', '/sse', ['Host: localhost', 'Accept: text/event-stream']))
    const [, path = ''] = /^data: (.+)$/m.exec(await connection.until(/^data: .+$/m)) ?? []
    const post = (letter: Parameters<typeof rawLetter>[0]) => sendRaw(port, rawLetter(letter, path))
    await post(opening('2024-11-05'))
    await connection.until(/"protocolVersion"/)
    for (const message of subscribing) assert.equal((await post(within({}, message)))?.status, 202)
    await connection.until(new RegExp(`"id":${subscribing.at(-1)?.id}`))
    return resting(connection)
  },

  async 'a WebSocket'(port) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/mcp`, 'mcp')
    await new Promise((resolve) => socket.once('open', resolve))
    const answered = new Promise<void>((resolve) => {
      let answers = 0
      socket.on('message', () => {
        answers += 1
        if (answers === subscribing.length + 1) resolve()
      })
    })
    socket.send(opening('2025-11-25').body)
    for (const message of subscribing) socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }))
    await answered
    socket.removeAllListeners('message').pause()
    return {
      readOn(onText) {
        socket.on('message', (data) => onText(String(data)))
        socket.resume()
      },
      close: () => socket.terminate(),
    }
  },
}

function changing() {
  const definition = server({ name: 'changing', ...quiet })
  for (const uri of [...uris, last]) definition.resource(uri, {}, () => 'text')
  return definition
}

/** Reads on until the last change is heard of, and tells which others were. */
async function heardBy(reader: Resting, definition: Server): Promise<ReadonlySet<number>> {
  const heard = new Set<number>()
  let text = ''
  let isOver = false
  reader.readOn((more) => {
    text += more
    for (const [, at] of text.matchAll(/"uri":"note:(\d+):/g)) heard.add(Number(at))
    isOver ||= text.includes(`"uri":"${last}"`)
    text = text.slice(-100)
  })
  while (!isOver) {
    definition.resources.updated(last)
    await setImmediate()
  }
  return heard
}

for (const [shape, open] of Object.entries(shapes)) {
  test(`${shape}: a change that happens while it is full is told when there is room`, async () => {
    const definition = changing()
    const limits = { maxUnreadBytesPerConnection: 100_000, maxMessageBytes: 16_777_216 }
    await using listening = await serveHttp(definition, { sse: true, websocket: true, limits })
    const reader = await open(Number(new URL(listening.url).port))
    for (const uri of uris) definition.resources.updated(uri)
    for (let turn = 0; turn < 20; turn++) await setImmediate()
    const heard = await heardBy(reader, definition)
    assert.equal(heard.size, uris.length)
    reader.close()
  })
}
