/** Readers who do not read: what they cost, whom they hold up, and that their answer waits for them. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { server } from '@trunkline/mcp'
import { toFetch } from '@trunkline/mcp/http'
import { isLong } from '../../../../tools/lib/long-form.ts'
import { EventParser } from '../../src/transports/http/client/event-parser.ts'
import { quiet } from '../fixtures/quiet.ts'
import { start } from './children/child.ts'
import { faceAt, openSession, saidIn } from './faces.ts'
import { type Letter, listen, meta, opening, sessionCall, toolCall, within } from './messages.ts'
import { RawConnection, rawLetter, rawRequest, sendRaw } from './raw-socket.ts'

const child = await start('flood-server.ts', { flags: ['--expose-gc'] })
after(() => child[Symbol.asyncDispose]())
const face = faceAt(child.url)
const streams = 3
const mostBytes = 8 * 1_048_576
/** Notices of 10 KB: in all several times of what may wait. */
const count = isLong ? 10_000 : 3_000

const memory = async (): Promise<number> => Number(saidIn(await face.send(toolCall('memory'))))
const happened = (event: string) => face.send(toolCall('happened', { event }))

interface Flood {
  readonly count: number
  readonly waits: boolean
}

/** Starts a flood on a connection from which nothing is read. */
const shapes: Readonly<Record<string, (flood: Flood) => Promise<RawConnection>>> = {
  async 'a request that explains itself'(flood) {
    const { headers } = toolCall('flood')
    const params = { name: 'flood', arguments: flood, _meta: { ...meta, 'io.modelcontextprotocol/logLevel': 'debug' } }
    return unread(rawLetter({ headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) }))
  },
  async 'a request of a session'(flood) {
    return unread(rawLetter(sessionCall(await openSession(face), 'flood', flood)))
  },
  async 'the stream of the oldest transport'(flood) {
    return (await oldest(flood)).connection
  },
}

async function oldest(flood: Flood) {
  const connection = await RawConnection.to(child.port)
  connection.write(rawRequest('GET', '/sse', ['Host: localhost', 'Accept: text/event-stream']))
  const [, path = ''] = /^data: (.+)$/m.exec(await connection.until(/^data: .+$/m)) ?? []
  const post = (letter: Letter) => sendRaw(child.port, rawLetter(letter, path))
  await post(opening('2024-11-05'))
  await connection.until(/"protocolVersion"/)
  connection.socket.pause()
  await post(sessionCall({}, 'flood', flood))
  return { connection, post }
}

async function unread(bytes: string): Promise<RawConnection> {
  const connection = await RawConnection.to(child.port)
  connection.socket.pause()
  connection.write(bytes)
  return connection
}

/** Reads on, and counts what arrives until the answer does. */
async function counted({ socket }: RawConnection): Promise<{ notices: number; isInOrder: boolean }> {
  socket.removeAllListeners('data')
  let tail = ''
  let notices = 0
  let last = -1
  let isInOrder = true
  return new Promise((resolve, reject) => {
    socket.on('data', (chunk) => {
      tail += chunk.toString('latin1')
      for (const [, number] of tail.matchAll(/"data":"(\d+) /g)) {
        notices += 1
        isInOrder &&= Number(number) > last
        last = Number(number)
      }
      if (/"text":"flooded"/.test(tail)) resolve({ notices, isInOrder })
      // what could be the start of something is looked at again
      tail = tail.slice(-40).replaceAll(/"data":"\d+ /g, '')
    })
    socket.on('close', () => reject(new Error('The connection ended without an answer')))
    socket.resume()
  })
}

for (const [shape, open] of Object.entries(shapes)) {
  test(`${shape}: a tool waits for its reader, who gets all of it`, async (t) => {
    const before = await memory()
    const floods = await Promise.all(Array.from({ length: streams }, () => open({ count, waits: true })))
    for (const _ of floods) await happened('stalled')
    const grown = ((await memory()) - before) / streams
    t.diagnostic(`${Math.round(grown / 1_024)} KiB for each reader who does not read`)
    assert.ok(grown < mostBytes, `${grown}`)
    const [first, ...rest] = floods as [RawConnection, ...RawConnection[]]
    assert.deepEqual(await counted(first), { notices: count, isInOrder: true })
    for (const { socket } of [first, ...rest]) socket.destroy()
  })

  test(`${shape}: a tool that does not wait fills no more than there is room, and its answer arrives`, async (t) => {
    const before = await memory()
    const floods = await Promise.all(Array.from({ length: streams }, () => open({ count, waits: false })))
    for (const _ of floods) await happened('over')
    const grown = ((await memory()) - before) / streams
    t.diagnostic(`${Math.round(grown / 1_024)} KiB for each reader who does not read`)
    assert.ok(grown < mostBytes, `${grown}`)
    // all at once: a reader who waits long enough is given up
    for (const { notices, isInOrder } of await Promise.all(floods.map(counted)))
      assert.ok(notices < count && isInOrder, `${notices}`)
    for (const { socket } of floods) socket.destroy()
  })
}

test('the stream of the oldest transport: a client that does not read cannot ask for more, but can cancel', async () => {
  const { connection, post } = await oldest({ count, waits: false })
  await happened('over')
  const refused = await post(within({}, { id: 2, method: 'ping' }))
  assert.deepEqual([refused?.status, refused?.headers.get('retry-after')], [503, '1'])
  const told = await post(within({}, { method: 'notifications/cancelled', params: { requestId: 2 } }))
  assert.equal(told?.status, 202)
  await counted(connection)
  assert.equal((await post(within({}, { id: 2, method: 'ping' })))?.status, 202)
  connection.socket.destroy()
})

test('an answer larger than all that may wait arrives whole, also after something else was said', async () => {
  const large = 'y'.repeat(10_000_000)
  const definition = server({ name: 'large', ...quiet }).tool('large', {}, async (_, ctx) => {
    await ctx.progress(1)
    return large
  })
  const handler = toFetch(definition)
  const { headers } = toolCall('large')
  const params = { name: 'large', arguments: {}, _meta: { ...meta, progressToken: 1 } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const response = await handler(new Request('http://localhost/mcp', { method: 'POST', headers, body }))
  assert.ok((await response.text()).includes(large))
})

test('a listener who does not read is told of many changes at once', async () => {
  const definition = server({ name: 'changing', ...quiet }).tool('extra', {}, () => 'extra')
  const { headers, body } = listen()
  const response = await toFetch(definition)(new Request('http://localhost/mcp', { method: 'POST', headers, body }))
  for (let change = 0; change < 3_000; change++) {
    if (change % 2) definition.tools.enable('extra')
    else definition.tools.disable('extra')
    await setImmediate()
  }
  let notices = 0
  const parser = new EventParser(({ data }) => {
    if (data.includes('list_changed')) notices += 1
  })
  const reader = response.body?.getReader()
  definition.tool('last', {}, () => 'last')
  // reading makes room, so that what was held back follows
  for (let quiet = 0; quiet < 50; quiet++) {
    const read = await Promise.race([reader?.read(), setImmediate(undefined)])
    if (read?.value) {
      parser.push(read.value)
      quiet = 0
    }
  }
  assert.ok(notices > 1 && notices < 1_000, `${notices}`)
  await reader?.cancel()
})
