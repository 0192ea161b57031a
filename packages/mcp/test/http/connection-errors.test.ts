import assert from 'node:assert/strict'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createRawServer } from 'node:net'
import { test } from 'node:test'
import { connect, serve, server } from '@trunkline/mcp'
import { devServer } from '@trunkline/mcp/auth/dev-server'

type Address = `http${string}`

/** A server at an address of its own, with a query that must stay private. */
async function listening(listener: RequestListener) {
  const http = createServer(listener)
  const port = await portOf(http)
  const close = async (): Promise<void> => {
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  }
  const shown = `http://127.0.0.1:${port}/mcp`
  return { url: `${shown}?key=secret` as Address, shown, [Symbol.asyncDispose]: close }
}

async function portOf(listening: Pick<Server, 'listen' | 'address'>): Promise<number> {
  await new Promise<void>((resolve) => void listening.listen(0, '127.0.0.1', resolve))
  return (listening.address() as AddressInfo).port
}

/** An address without a listener. */
async function nowhere(): Promise<string> {
  const raw = createRawServer()
  const port = await portOf(raw as never)
  await new Promise((resolve) => raw.close(resolve))
  return `127.0.0.1:${port}`
}

test('a server that cannot be reached is named, and why', async () => {
  const host = await nowhere()
  await assert.rejects(connect(`http://${host}/mcp?key=secret`), {
    code: 'NotSent',
    message: `Cannot reach http://${host}/mcp: nothing listens on port ${host.split(':')[1]} of 127.0.0.1 (ECONNREFUSED); start the server, or correct the address`,
  })
  await assert.rejects(connect(`ws://${host}/mcp?key=secret`), {
    code: 'NotSent',
    message: new RegExp(
      `Cannot reach ws://${host}/mcp: no connection to ${host} can be made; start the server, or correct the address$`,
    ),
  })
  await assert.rejects(connect('http://no-such-host.invalid/mcp'), {
    code: 'NotSent',
    message:
      /^Cannot reach http:\/\/no-such-host\.invalid\/mcp: the name "no-such-host\.invalid" cannot be looked up \((?:ENOTFOUND|EAI_AGAIN)\); check its spelling and the network$/,
  })
})

test('a server that breaks off, refuses, or is none is named', async () => {
  const cases: readonly [answer: RequestListener, message: (shown: string) => string][] = [
    [({ socket }) => socket.destroy(), (shown) => `to ${shown}: the connection broke before the response`],
    [(_, response) => response.writeHead(404).end(), (shown) => `to ${shown}: the server answered 404 Not Found`],
    [
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      (shown) =>
        `Cannot use ${shown}: a web page stands there, not an MCP server; the address of a server often ends in "/mcp"`,
    ],
    [
      (_, response) => response.writeHead(405, { 'content-type': 'text/html' }).end('<p>'),
      () =>
        `405 Method Not Allowed: a web page stands there, not an MCP server; the address of a server often ends in "/mcp"`,
    ],
  ]
  for (const [answer, message] of cases) {
    await using http = await listening(answer)
    await assert.rejects(connect(http.url), ({ message: told }: Error) => {
      assert.ok(told.endsWith(message(http.shown)), told)
      return true
    })
  }
})

test('401 says whether there was no token or a wrong one, whatever the server says', async () => {
  await using http = await listening((_, response) => response.writeHead(401).end())
  const to = `Cannot send "server/discover" to ${http.shown}: the server answered 401 Unauthorized`
  await assert.rejects(connect(http.url), { message: `${to}: no token was sent; "auth" shows who is calling` })
  await assert.rejects(connect(http.url, { http: { headers: { Authorization: 'Bearer x' } } }), {
    message: `${to}: the token that was sent is not accepted`,
  })
})

test('401 of a protected server says what is wrong with the token', async () => {
  await using authorization = await devServer({ warn: () => {} })
  const vault = server({ name: 'vault', version: '1.0.0' })
  await using http = await serve(vault, { http: 0, auth: { issuer: authorization.issuer } })
  await assert.rejects(
    connect(http.url as Address),
    /401 Unauthorized: no token was sent; "auth" shows who is calling$/,
  )
  await assert.rejects(
    connect(http.url as Address, { http: { headers: { authorization: 'Bearer nonsense' } } }),
    /401 Unauthorized: the token that was sent is not accepted \([^)]+\)$/,
  )
})
