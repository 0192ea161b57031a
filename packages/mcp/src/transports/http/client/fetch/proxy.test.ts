import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { connect, server } from '../../../../index.ts'
import { serveHttp } from '../../../../node.ts'

/** A proxy that knows where every name leads, and tells what it was asked for. */
async function proxy() {
  const asked: string[] = []
  const http = createServer((incoming, response) => {
    const { host, port, pathname } = new URL(incoming.url ?? '')
    asked.push(host)
    const onward = request({ port, path: pathname, method: incoming.method, headers: incoming.headers })
    onward.once('response', (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)))
    incoming.pipe(onward)
  })
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return { url, asked, [Symbol.asyncDispose]: async () => void http.close().closeAllConnections() }
}

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

test('connect goes through the proxy of the environment, and over node:http', async () => {
  await using listening = await serveHttp(echo, { hosts: ['echo.test'] })
  await using between = await proxy()
  using _ = environment({ HTTP_PROXY: between.url, NO_PROXY: '' })
  const address = listening.url.replace('127.0.0.1', 'echo.test')
  await using mcp = await connect(new URL(address))
  await mcp.tools.call('echo', {})
  assert.deepEqual([...new Set(between.asked)], [new URL(address).host])
})

for (const NO_PROXY of ['', '127.0.0.1'])
  test(`connect goes straight to this machine, with NO_PROXY "${NO_PROXY}"`, async () => {
    await using listening = await serveHttp(echo)
    await using between = await proxy()
    using _ = environment({ HTTP_PROXY: between.url, NO_PROXY })
    await using mcp = await connect(new URL(listening.url))
    await mcp.tools.call('echo', {})
    assert.deepEqual(between.asked, [])
  })
