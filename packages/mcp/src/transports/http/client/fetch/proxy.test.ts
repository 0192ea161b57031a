import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect as connectSocket } from 'node:net'
import { test } from 'node:test'
import { connect, server } from '../../../../index.ts'
import { serveHttp } from '../../../../node.ts'

/** A proxy that takes CONNECT, and tells whom it was asked for. */
async function proxy() {
  const asked: string[] = []
  const http = createServer()
  http.on('connect', (request, socket, head) => {
    asked.push(request.url ?? '')
    const [host, port] = (request.url ?? '').split(':')
    const onward = connectSocket(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    for (const end of [onward, socket]) end.on('error', () => {})
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return { url, asked, [Symbol.asyncDispose]: async () => void http.close().closeAllConnections() }
}

/** Sets variables of this process until the end of the test. */
function environment(variables: { readonly [name: string]: string }) {
  const before = { ...process.env }
  Object.assign(process.env, variables)
  return {
    [Symbol.dispose]() {
      process.env = before
    },
  }
}

const echo = server({ name: 'echo', version: '1' }).tool('echo', {}, () => 'hi')

test('connect goes through the proxy of the environment', async () => {
  await using listening = await serveHttp(echo)
  await using between = await proxy()
  using _ = environment({ HTTP_PROXY: between.url, NO_PROXY: '' })
  await using mcp = await connect(new URL(listening.url))
  await mcp.tools.call('echo', {})
  assert.ok(between.asked.includes(new URL(listening.url).host))
})

test('connect goes straight to a host that NO_PROXY names', async () => {
  await using listening = await serveHttp(echo)
  await using between = await proxy()
  using _ = environment({ HTTP_PROXY: between.url, NO_PROXY: '127.0.0.1' })
  await using mcp = await connect(new URL(listening.url))
  await mcp.tools.call('echo', {})
  assert.deepEqual(between.asked, [])
})
