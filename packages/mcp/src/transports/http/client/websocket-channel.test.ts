import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../../../test/no-leaks.ts'
import { lacking } from '../../../../../../tools/lib/needs.ts'
import { Recorder } from '../../../../test/recorder.ts'
import { type SocketEnd, socketServer } from '../../../../test/socket-server.ts'
import { type WebSocketChannelOptions, websocketChannel } from './websocket-channel.ts'

const skip = lacking('websocket', globalThis.WebSocket !== undefined)
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' } as const

async function opened(serve: (end: SocketEnd) => void, options: WebSocketChannelOptions = {}) {
  let connected = (_: SocketEnd): void => {}
  const end = new Promise<SocketEnd>((resolve) => {
    connected = resolve
  })
  const server = await socketServer((at) => {
    connected(at)
    serve(at)
  })
  const channel = websocketChannel(server.url, options)
  const receiver = new Recorder()
  channel.open(receiver)
  const dispose = async (): Promise<void> => {
    await channel.close()
    await server[Symbol.asyncDispose]()
  }
  return { channel, receiver, end, [Symbol.asyncDispose]: dispose }
}

test('WebSocketChannel: one message per frame, each way, under the protocol "mcp"', { skip }, async () => {
  await using it = await opened((end) => end.agree().send(JSON.stringify({ jsonrpc: '2.0', method: 'hello' })))
  // sent before there is a connection, and after
  it.channel.send(ping)
  assert.deepEqual(await it.receiver.received(1), [{ jsonrpc: '2.0', method: 'hello' }])
  it.channel.send({ ...ping, id: 'ü' })
  const end = await it.end
  await end.until(() => end.received.length === 2)
  assert.deepEqual(
    end.received.map((text) => JSON.parse(text)),
    [ping, { ...ping, id: 'ü' }],
  )
  assert.equal(end.protocol, 'mcp')
})

test('WebSocketChannel: closing tells the server, once, and nothing is sent after it', { skip }, async () => {
  await using it = await opened((end) => end.agree().send(JSON.stringify(ping)))
  const end = await it.end
  await it.receiver.received(1)
  await Promise.all([it.channel.close(), it.channel.close()])
  assert.deepEqual(it.receiver.reasons, [undefined])
  await end.until(() => end.closedBy !== undefined)
  await assert.rejects(Promise.resolve(it.channel.send(ping)), { code: 'NotSent' })
})

test('WebSocketChannel: a server that does not agree to the end is not waited for', { skip }, async () => {
  await using it = await opened(() => {}, { closeMs: 1 })
  await it.end
  await it.channel.close()
  assert.deepEqual(it.receiver.reasons, [undefined])
})

const endings: readonly (readonly [how: string, end: (end: SocketEnd) => void, reason: object | undefined])[] = [
  ['1000', (end) => end.close(1000), undefined],
  ['1001', (end) => end.close(1001), { code: 'Closed', message: /with 1001: it is going away$/ }],
  ['1008 and a reason', (end) => end.close(1008, 'no token'), { message: /1008: it does not allow this, no token$/ }],
  ['4000', (end) => end.close(4000), { message: /with 4000$/ }],
  ['no word at all', (end) => end.destroy(), { code: 'Closed', outcome: 'Unknown', message: /the connection broke/ }],
  ['bytes instead of text', (end) => end.agree().sendBytes(Buffer.from('{}')), { code: 'InvalidResponse' }],
  ['a message that is too large', (end) => end.agree().send('x'.repeat(101)), { code: 'TooLarge', outcome: 'Unknown' }],
]

for (const [how, ending, reason] of endings) {
  test(`WebSocketChannel: it is closed by ${how}`, { skip }, async () => {
    await using it = await opened(ending, { limits: { maxMessageBytes: 100 } })
    if (reason === undefined) assert.equal(await it.receiver.whenClosed(), undefined)
    else await assert.rejects(it.receiver.closing(), reason)
    assert.equal(it.receiver.reasons.length, 1)
  })
}

test('WebSocketChannel: a refused connection means that nothing was sent', { skip }, async () => {
  const server = await socketServer(() => {})
  await server[Symbol.asyncDispose]()
  const receiver = new Recorder()
  const channel = websocketChannel(server.url)
  channel.open(receiver)
  channel.send(ping)
  await assert.rejects(receiver.closing(), { code: 'NotSent', outcome: 'NotSent' })
})

test('WebSocketChannel: an invalid message is skipped, unless it names the call it answers', { skip }, async () => {
  await using it = await opened((end) => {
    for (const text of ['hello', '7', '{"jsonrpc":"2.0","id":1,"result":3}', JSON.stringify(ping)])
      end.agree().send(text)
  })
  assert.deepEqual(await it.receiver.received(1), [ping])
  assert.deepEqual(
    it.receiver.refusals.map(({ id }) => id),
    [1],
  )
})

test('WebSocketChannel: a client that sends faster than the server reads waits, and is refused in the end', {
  skip,
}, async () => {
  await using it = await opened((end) => end.agree().hold(true), { closeMs: 1 })
  const end = await it.end
  const large = { jsonrpc: '2.0', method: 'x', params: { text: 'x'.repeat(1_000_000) } } as const
  let waits: Promise<void> | undefined
  while (!waits) {
    await turn()
    waits = it.channel.send(large)
  }
  let refusal: unknown
  while (!refusal) refusal = await Promise.race([it.channel.send(large)?.catch((error: unknown) => error), turn()])
  assert.equal((refusal as { code: string }).code, 'Busy')
  end.hold(false)
  await waits
})

test('WebSocketChannel: a sender that waits is let go when either side closes the channel', { skip }, async () => {
  for (const close of ['here', 'there'] as const) {
    await using it = await opened((end) => end.agree().hold(true), { closeMs: 1 })
    const end = await it.end
    let waits: Promise<void> | undefined
    while (!waits) {
      await turn()
      waits = it.channel.send({ jsonrpc: '2.0', method: 'x', params: { text: 'x'.repeat(1_000_000) } })
    }
    let isLetGo = false
    const waiting = waits.then(() => {
      isLetGo = true
    })
    if (close === 'here') await it.channel.close()
    else {
      end.destroy()
      await it.receiver.whenClosed()
    }
    await turn()
    assert.equal(isLetGo, true, `closed ${close}`)
    await waiting
  }
})

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

test('websocketChannel: refuses other addresses', { skip }, () => {
  assert.throws(() => websocketChannel('http://example.com'), { code: 'Misuse' })
})

test('websocketChannel: says so where there is no WebSocket', () => {
  const own = globalThis.WebSocket
  try {
    Object.assign(globalThis, { WebSocket: undefined })
    assert.throws(() => websocketChannel('ws://example.com'), { code: 'Unsupported' })
  } finally {
    Object.assign(globalThis, { WebSocket: own })
  }
})

test('WebSocketChannel: a request that finds no room is not sent; a response that finds none closes the connection', {
  skip,
}, async () => {
  await using it = await opened((end) => end.agree().send(JSON.stringify(ping)), { limits: { maxQueuedChars: 1_000 } })
  await it.receiver.received(1)
  const large = 'x'.repeat(1_000)
  await assert.rejects(Promise.resolve(it.channel.send({ ...ping, params: { large } })), {
    code: 'Busy',
    outcome: 'NotSent',
  })
  assert.deepEqual(it.receiver.reasons, [])
  await assert.rejects(Promise.resolve(it.channel.send({ jsonrpc: '2.0', id: 1, result: { large } })), { code: 'Busy' })
  assert.match(String(it.receiver.reasons[0]), /a response could not be sent, because the server does not read/)
})
