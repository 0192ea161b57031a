import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { test } from 'node:test'
import { bandwidth, cut, FaultProxy, type Faults, halfOpen, latency, reset, slicer } from './fault-proxy.ts'

const said = 'The quick brown fox jumps over the lazy dog'

/** Says something through the proxy to a server that repeats it, and tells what came back, how, and how much arrived. */
async function echoed(faults: Faults) {
  let arrived = 0
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      arrived += chunk.length
      socket.write(chunk)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  await using proxy = await FaultProxy.to((server.address() as AddressInfo).port)
  proxy.faults = () => faults
  const socket = connect(proxy.port, '127.0.0.1')
  const pieces: string[] = []
  let error: string | undefined
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    error = code
  })
  const over = once(socket, 'close').catch(() => {})
  socket.on('data', (chunk) => {
    pieces.push(String(chunk))
    if (pieces.join('') === said) socket.end()
  })
  socket.write(said)
  // a connection of which nothing is heard any more ends when the test has seen enough
  if (faults.down?.includes(silent)) await once(socket, 'data').finally(() => socket.destroy())
  await over
  server.close()
  return { text: pieces.join(''), pieces: pieces.length, error, arrived }
}

const silent = halfOpen(5)

for (const [name, toxic] of Object.entries({ latency: latency(1), bandwidth: bandwidth(10), slicer: slicer(1) })) {
  test(`FaultProxy: ${name} changes when bytes arrive, and nothing else`, async () => {
    for (const faults of [{ up: [toxic] }, { down: [toxic] }]) assert.equal((await echoed(faults)).text, said)
  })
}

test('FaultProxy: cut ends a connection after exactly that many bytes, each way', async () => {
  for (let offset = 0; offset < said.length; offset++) {
    assert.equal((await echoed({ down: [cut(offset)] })).text, said.slice(0, offset))
    assert.equal((await echoed({ up: [cut(offset)] })).arrived, offset)
  }
})

test('FaultProxy: reset breaks a connection instead of ending it', async () => {
  assert.equal((await echoed({ down: [reset(0)] })).error, 'ECONNRESET')
})

test('FaultProxy: half open lets so much pass, and then neither side hears of anything', async () => {
  const { text, error } = await echoed({ down: [silent] })
  assert.deepEqual([text, error], [said.slice(0, 5), undefined])
})
