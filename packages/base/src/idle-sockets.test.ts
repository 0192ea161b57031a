import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { soon } from '../../mcp/test/soon.ts'
import { endIdleSockets } from './idle-sockets.ts'

// Node waits a second longer than it says
const keepAliveTimeout = 100
const heldUpMs = keepAliveTimeout + 1500

async function connected(): Promise<{ socket: Socket; ask(): void } & AsyncDisposable> {
  const http = createServer({ keepAliveTimeout }, (_, response) => response.end('here'))
  endIdleSockets(http)
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((http.address() as AddressInfo).port, '127.0.0.1')
  socket.setEncoding('utf8')
  return {
    socket,
    ask: () => socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n'),
    async [Symbol.asyncDispose]() {
      socket.destroy()
      http.close()
      await once(http, 'close')
    },
  }
}

test('endIdleSockets: a request that arrived while the process was held up is answered, again and again', async () => {
  await using connection = await connected()
  const { socket, ask } = connection
  ask()
  assert.match(String(await once(socket, 'data')), /^HTTP\/1\.1 200 /)
  for (const _ of [1, 2]) {
    ask()
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, heldUpMs)
    assert.match(String(await once(socket, 'data')), /^HTTP\/1\.1 200 /)
  }
})

test('endIdleSockets: an unused connection is ended', async () => {
  await using connection = await connected()
  const { socket, ask } = connection
  ask()
  await soon(once(socket, 'data'), 'the answer')
  const [hadError] = await soon(once(socket, 'close'), 'the idle connection to be ended')
  assert.equal(hadError, false)
})
