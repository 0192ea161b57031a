/** Bodies in chunks of one byte, whose bookkeeping weighs hundreds of times what is in them. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, test } from 'node:test'
import { until } from '../../../../tools/lib/until.ts'
import { EventParser } from '../../src/transports/http/client/event-parser.ts'
import { nodeFetch } from '../../src/transports/http/client/fetch/node-fetch.ts'
import { chunksOf, readText } from '../../src/transports/http/client/response-body.ts'
import { gate } from '../gate.ts'
import { ownMemory } from '../own-memory.ts'
import { start } from './children/child.ts'
import { faceAt, saidIn } from './faces.ts'
import { toolCall } from './messages.ts'
import { RawConnection, rawRequest } from './raw-socket.ts'

const child = await start('tiny-chunks-server.ts', { flags: ['--expose-gc', '--max-old-space-size=128'] })
after(() => child[Symbol.asyncDispose]())
const face = faceAt(child.url)
const doors: { gated: number; fetching: number } = JSON.parse(saidIn(await face.send(toolCall('doors'))))

const size = 40_000
const mostBytes = 8_000_000

/** Memory of the server, once it has had many turns to read what was sent. */
async function memory(): Promise<number> {
  for (let turn = 0; turn < 20; turn++) await face.send(toolCall('length', { text: '' }))
  return Number(saidIn(await face.send(toolCall('memory'))))
}

/** Every byte in a chunk of its own. */
function inChunks(text: string): Buffer {
  const chunks = Buffer.alloc(text.length * 6)
  for (let at = 0; at < text.length; at++) chunks.write(`1\r\n${text[at]}\r\n`, at * 6, 'latin1')
  return chunks
}

const { headers, body } = toolCall('length', { text: 'x'.repeat(size) })
const head = rawRequest('POST', '/mcp', [
  'Host: localhost',
  ...Object.entries(headers).map((line) => line.join(': ')),
  'Transfer-Encoding: chunked',
])
const chunks = inChunks(body)

/** Sends all of a body but its end, several times, and tells by how much that made the server grow. */
async function begin(port: number): Promise<{ begun: readonly RawConnection[]; grown: number }> {
  const before = await memory()
  const begun = await Promise.all(Array.from({ length: 4 }, () => RawConnection.to(port)))
  for (const connection of begun) {
    connection.write(head)
    connection.write(chunks)
  }
  return { begun, grown: (await memory()) - before }
}

for (const [name, port] of Object.entries({ 'the Node face': child.port, 'the fetch face': doors.fetching })) {
  test(`${name}: a body in chunks of one byte costs its size`, async (t) => {
    const { begun, grown } = await begin(port)
    t.diagnostic(`${Math.round(grown / 1_024)} KiB for ${Math.round((begun.length * size) / 1_024)} KiB`)
    assert.ok(grown < mostBytes, `${grown}`)
    for (const connection of begun) {
      connection.write('0\r\n\r\n')
      assert.equal(saidIn({ text: (await connection.answer())?.body ?? '' }), `${size}`)
      connection.socket.destroy()
    }
  })
}

test('the Node face: a body in chunks of one byte costs its size while it is found out who sends it', async (t) => {
  const { begun, grown } = await begin(doors.gated)
  t.diagnostic(`${Math.round(grown / 1_024)} KiB for ${Math.round((begun.length * size) / 1_024)} KiB`)
  assert.ok(grown < mostBytes, `${grown}`)
  for (const { socket } of begun) socket.destroy()
})

/** A server whose answer to everything comes in chunks of one byte, when it is told to begin, and ends when told to. */
async function answering(text: string) {
  const [beginning, ending, all] = [gate(), gate(), inChunks(text)]
  const http = createServer(async (socket) => {
    await once(socket, 'data')
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
    await beginning.promise
    socket.write(all)
    await ending.promise
    socket.end('0\r\n\r\n')
  })
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const init = { method: 'GET', headers: {}, signal: new AbortController().signal, redirect: 'manual' } as const
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`
  const response = await nodeFetch(url, init)
  const before = await ownMemory()
  beginning.open()
  return {
    response,
    before,
    end: ending.open,
    [Symbol.dispose]() {
      ending.open()
      http.close()
    },
  }
}

const answered = 150_000
const mostOwnBytes = 2_000_000

test('readText: an answer in chunks of one byte costs its size', async (t) => {
  using server = await answering('x'.repeat(answered))
  let arrived = 0
  const reader = server.response.body?.getReader()
  const read = async () => {
    const piece = await reader?.read()
    arrived += piece?.value?.length ?? 0
    return piece ?? { done: true }
  }
  const body = { getReader: () => ({ read, cancel: async () => {} }) }
  const text = readText({ ...server.response, body } as never, 1_000_000)
  await until(() => arrived >= answered)
  const grown = (await ownMemory()) - server.before
  t.diagnostic(`${Math.round(grown / 1_024)} KiB for ${Math.round(answered / 1_024)} KiB`)
  assert.ok(grown < mostOwnBytes, `${grown}`)
  server.end()
  assert.equal((await text).length, answered)
})

test('EventParser: an event in chunks of one byte costs its size', async (t) => {
  const event = `data:${'x'.repeat(answered)}`
  using server = await answering(event)
  const events: string[] = []
  const parser = new EventParser(({ data }) => events.push(data))
  let arrived = 0
  for await (const chunk of chunksOf(server.response.body)) {
    parser.push(chunk)
    arrived += chunk.length
    if (arrived === event.length) break
  }
  const grown = (await ownMemory()) - server.before
  t.diagnostic(`${Math.round(grown / 1_024)} KiB for ${Math.round(answered / 1_024)} KiB`)
  assert.ok(grown < mostOwnBytes, `${grown}`)
  parser.push(Buffer.from('\n\n'))
  assert.equal(events[0]?.length, answered)
  server.end()
})

test('EventParser: an event of many lines without anything in them costs its size', async (t) => {
  const events: string[] = []
  const parser = new EventParser(({ data }) => events.push(data))
  const lines = Buffer.from('data\n'.repeat(20_000))
  const before = await ownMemory()
  for (let round = 0; round < 20; round++) parser.push(lines)
  const grown = (await ownMemory()) - before
  t.diagnostic(`${Math.round(grown / 1_024)} KiB for ${Math.round((lines.length * 20) / 1_024)} KiB`)
  assert.ok(grown < mostOwnBytes, `${grown}`)
  parser.push(Buffer.from('\n'))
  assert.equal(events[0]?.length, 400_000 - 1)
})
