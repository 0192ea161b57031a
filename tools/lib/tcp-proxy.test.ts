import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { startProxy } from './tcp-proxy.ts'

/** A server that sends back what it gets, and what it got. */
async function echo() {
  const got: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      got.push(String(chunk))
      socket.write(chunk)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  return { got, port, [Symbol.dispose]: () => void server.close() }
}

async function say(socket: Socket, text: string): Promise<string> {
  const answer = once(socket, 'data')
  socket.write(text)
  return String((await answer)[0])
}

test('startProxy: passes bytes on, and counts round trips and connections', async () => {
  using server = await echo()
  await using proxy = await startProxy({ port: server.port, host: '127.0.0.1' })
  const socket = connect(proxy.port, '127.0.0.1')
  for (const text of ['one', 'two']) assert.equal(await say(socket, text), text)
  assert.deepEqual([proxy.roundTrips, proxy.connections], [2, 1])
  socket.destroy()
})

test('startProxy: what is held one way arrives when it is released', async () => {
  using server = await echo()
  await using proxy = await startProxy({ port: server.port, host: '127.0.0.1' })
  const socket = connect(proxy.port, '127.0.0.1')
  await say(socket, 'one')
  proxy.hold('toClient')
  const answer = once(socket, 'data')
  socket.write('two')
  // the server gets it although its answer is held
  const other = connect(server.port, '127.0.0.1')
  while (!server.got.includes('two')) await say(other, '.')
  assert.equal(socket.bytesRead, 3)
  proxy.release()
  assert.equal(String((await answer)[0]), 'two')
  for (const each of [socket, other]) each.destroy()
})

test('startProxy: cuts connections, and takes new ones', async () => {
  using server = await echo()
  await using proxy = await startProxy({ port: server.port, host: '127.0.0.1' })
  const socket = connect(proxy.port, '127.0.0.1')
  await say(socket, 'one')
  const closed = once(socket, 'close')
  proxy.cut()
  await closed
  const again = connect(proxy.port, '127.0.0.1')
  assert.equal(await say(again, 'two'), 'two')
  again.destroy()
})

test('startProxy: a filter changes what the server sends', async () => {
  using server = await echo()
  const shout = () => (chunk: Buffer) => Buffer.from(String(chunk).toUpperCase())
  await using proxy = await startProxy({ port: server.port, host: '127.0.0.1' }, { filter: shout })
  const socket = connect(proxy.port, '127.0.0.1')
  assert.equal(await say(socket, 'one'), 'ONE')
  socket.destroy()
})
