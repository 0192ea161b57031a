import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { WebSocket } from 'ws'
import { devServer } from '../../src/auth-dev-server.ts'
import { protect } from '../../src/auth-resource.ts'
import { endpointOf } from '../../src/http-endpoint.ts'
import { serve } from '../../src/index.ts'
import { serveHttp } from '../../src/node.ts'
import { soon } from '../soon.ts'
import { alone, opening, within } from './messages.ts'
import { vault } from './vault.ts'

const verbs = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']
const wellKnown = '/.well-known/oauth-protected-resource'

/** The vault with every way in that there is. */
async function open() {
  const authorization = await devServer({ warn: () => {} })
  const { definition, count } = vault()
  const options = { http: 0, sse: true, websocket: true, auth: { issuer: authorization.issuer } } as const
  const listening = await serve(definition, options)
  const { origin } = new URL(listening.url)
  return {
    origin,
    url: listening.url,
    count,
    definition,
    tokenFor: (subject: string, ...scopes: string[]) =>
      authorization.tokenFor({ subject, scopes, resources: [listening.url] }),
    /** A token for the clients of the oldest transport, to whom the server is another resource. */
    streamTokenFor: (subject: string, ...scopes: string[]) =>
      authorization.tokenFor({ subject, scopes, resources: [`${origin}/sse`] }),
    async [Symbol.asyncDispose]() {
      await listening.close()
      await authorization.close()
    },
  }
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

/** Sends exactly this, the path as it is written. */
async function send(origin: string, { method, path, headers = {}, body }: Sent) {
  const { hostname, port } = new URL(origin)
  const own = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers }
  const sending = request({ hostname, port, method, path, headers: own, agent: false })
  sending.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = await once(sending, 'response')
  return { status: response.statusCode as number, headers: response.headers, text: await text(response) }
}

/** Every address of the endpoint, from its own table, and some that are none. */
function addresses(): readonly string[] {
  const auth = protect({ issuer: 'http://127.0.0.1:1', resource: 'http://127.0.0.1:1/mcp' })
  const { endpoint } = endpointOf(vault().definition, { sse: true, auth })
  const others = [
    '/',
    '/mcp/',
    '/mcp2',
    '/MCP',
    '//mcp',
    '/%6dcp',
    '/mcp/../mcp',
    '/admin',
    '/metrics',
    '/sse/',
    '/messages/',
  ]
  return ['/mcp', '/mcp?access_token=x', '/healthz', '/readyz', ...endpoint.paths, ...others]
}

const bodies = [
  (() => {
    const { message } = alone('tools/call', { name: 'whoami', arguments: {} })
    return message
  })(),
  opening('2025-11-25'),
  within('tools/call', { name: 'whoami' }),
]

test('serve: without credentials no route and no verb lets a request in', async () => {
  await using place = await open()
  const routes = addresses()
  assert.deepEqual(routes.slice(4, 8), ['/sse', '/messages', `${wellKnown}/mcp`, wellKnown])
  const readable = new Set([`GET ${wellKnown}/mcp`, `GET ${wellKnown}`, 'GET /healthz', 'GET /readyz'])
  for (const path of routes) {
    for (const method of verbs) {
      for (const body of method === 'POST' ? bodies : [undefined]) {
        const { status, headers } = await send(place.origin, { method, path, body })
        const what = `${method} ${path}`
        if (readable.has(what)) assert.equal(status, 200, what)
        else assert.ok([401, 404, 405].includes(status), `${what} is answered ${status}`)
        if (status === 401) assert.match(String(headers['www-authenticate']), /^Bearer resource_metadata=/)
      }
    }
  }
  assert.equal(place.count.served, 0)
  assert.deepEqual(place.definition.live, { connections: 0, watchers: 0 })
})

test('serve: a token counts in its header only', async () => {
  await using place = await open()
  const token = await place.tokenFor('ann')
  const { message: body, headers } = alone('tools/call', { name: 'whoami', arguments: {} })
  const post = { method: 'POST', path: '/mcp', headers, body }
  const elsewhere = [
    { ...post, path: `/mcp?access_token=${token}` },
    { ...post, headers: { ...headers, cookie: `access_token=${token}` } },
    { ...post, headers: { ...headers, 'x-authorization': `Bearer ${token}` } },
    { ...post, headers: { ...headers, 'proxy-authorization': `Bearer ${token}` } },
    { ...post, headers: { ...headers, authorization: token } },
    { ...post, body: { ...body, access_token: token } },
  ]
  for (const sent of elsewhere) assert.equal((await send(place.origin, sent)).status, 401)
  assert.equal(place.count.served, 0)
  const good = { ...post, headers: { ...headers, authorization: `bearer  ${token}` } }
  assert.equal((await send(place.origin, good)).status, 200)
})

test('serve: a page that was tricked into calling is turned away before its token is read', async () => {
  await using place = await open()
  const authorization = `Bearer ${await place.tokenFor('ann')}`
  for (const headers of [{ host: 'evil.test' }, { origin: 'https://evil.test' }]) {
    for (const path of ['/mcp', '/sse', wellKnown]) {
      const { status } = await send(place.origin, {
        method: 'GET',
        path,
        headers: { authorization, ...headers } as never,
      })
      assert.equal(status, 403)
    }
  }
})

test('serve: metadata is at both places, for any path', async () => {
  const authorization = await devServer({ warn: () => {} })
  await using listening = await serve(vault().definition, {
    http: 0,
    path: '/one/two',
    auth: { issuer: authorization.issuer },
  })
  const { origin } = new URL(listening.url)
  for (const path of [`${wellKnown}/one/two`, wellKnown]) {
    const { status, headers, text: body } = await send(origin, { method: 'GET', path })
    assert.deepEqual([status, headers['content-type']], [200, 'application/json'])
    const { resource, authorization_servers: servers } = JSON.parse(body)
    assert.deepEqual([resource, servers], [listening.url, [authorization.issuer]])
  }
  assert.equal((await send(origin, { method: 'GET', path: `${wellKnown}/one` })).status, 404)
  assert.match(
    String((await send(origin, { method: 'POST', path: '/one/two' })).headers['www-authenticate']),
    new RegExp(`resource_metadata="${origin}${wellKnown}/one/two"`),
  )
  await authorization.close()
})

test('serve: a server that listens everywhere has to say by which address clients know it', async () => {
  const auth = { issuer: 'https://as.example' }
  for (const http of ['0.0.0.0:0', '[::]:0']) {
    await assert.rejects(serve(vault().definition, { http, auth }), { code: 'Misuse' })
  }
})

test('serveHttp: clients may know the server by another address than the one it listens on', async () => {
  const authorization = await devServer({ warn: () => {} })
  const resource = 'https://mcp.example/weather'
  const auth = protect({ issuer: authorization.issuer, resource })
  await using listening = await serveHttp(vault().definition, { auth })
  const { origin } = new URL(listening.url)
  const { message: body, headers } = alone('tools/call', { name: 'whoami', arguments: {} })
  const show = async (audience: string) => {
    const token = await authorization.tokenFor({ resources: [audience] })
    const sent = { method: 'POST', path: '/mcp', headers: { ...headers, authorization: `Bearer ${token}` }, body }
    return (await send(origin, sent)).status
  }
  assert.deepEqual([await show(resource), await show(listening.url)], [200, 401])
  assert.equal((await send(origin, { method: 'GET', path: `${wellKnown}/weather` })).status, 200)
  await authorization.close()
})

test('serve: a token for one address opens no other', async () => {
  await using place = await open()
  const shown = async (token: string, path: string): Promise<number> => {
    const { message: body, headers } = alone('tools/call', { name: 'whoami', arguments: {} })
    const authorization = `Bearer ${token}`
    if (path === '/sse') {
      const stop = new AbortController()
      const accept = 'text/event-stream'
      const response = await fetch(`${place.origin}/sse`, { headers: { authorization, accept }, signal: stop.signal })
      stop.abort()
      return response.status
    }
    return (await send(place.origin, { method: 'POST', path, headers: { ...headers, authorization }, body })).status
  }
  const [main, stream] = [await place.tokenFor('ann'), await place.streamTokenFor('ann')]
  // the second time it is remembered that the token as such is good
  for (const _ of [1, 2]) {
    assert.deepEqual(
      [await shown(main, '/mcp'), await shown(main, '/sse'), await shown(main, '/messages')],
      [200, 401, 401],
    )
    assert.deepEqual(
      [await shown(stream, '/mcp'), await shown(stream, '/sse'), await shown(stream, '/messages')],
      [401, 200, 404],
    )
  }
  const socket = new WebSocket(place.url.replace('http', 'ws'), 'mcp', {
    headers: { authorization: `Bearer ${stream}` },
  })
  const [, response] = await soon(once(socket, 'unexpected-response'), 'a refusal')
  assert.equal(response.statusCode, 401)
})

test('SseEndpoint: the stream of one caller takes nothing from another', async () => {
  await using place = await open()
  const own = await place.streamTokenFor('ann')
  const stop = new AbortController()
  const headers = { authorization: `Bearer ${own}`, accept: 'text/event-stream' }
  const stream = await fetch(`${place.origin}/sse`, { headers, signal: stop.signal })
  const { value } = (await stream.body?.getReader().read()) ?? {}
  const [, path = ''] = /data: (\S+)/.exec(new TextDecoder().decode(value)) ?? []
  const post = (authorization: string) =>
    send(place.origin, { method: 'POST', path, headers: { authorization }, body: bodies[1] })
  assert.equal((await post('')).status, 401)
  assert.equal((await post(`Bearer ${await place.streamTokenFor('bob')}`)).status, 404)
  // a token that was renewed is still that of the same caller
  assert.equal((await post(`Bearer ${await place.streamTokenFor('ann', 'vault:open')}`)).status, 202)
  stop.abort()
})

test('acceptWebSockets: refuses connections without a token', async () => {
  await using place = await open()
  const address = place.url.replace('http', 'ws')
  const refused = async (headers: Record<string, string>) => {
    const socket = new WebSocket(address, 'mcp', { headers })
    const [, response] = await soon(once(socket, 'unexpected-response'), 'a refusal')
    return [response.statusCode, response.headers['www-authenticate']?.split(' ')[0]]
  }
  assert.deepEqual(await refused({}), [401, 'Bearer'])
  assert.deepEqual(await refused({ authorization: 'Bearer nonsense' }), [401, 'Bearer'])
  assert.equal(place.definition.live.connections, 0)
})

test('acceptWebSockets: the opener of a connection is the caller, and scopes are checked call by call', async () => {
  await using place = await open()
  const headers = { authorization: `Bearer ${await place.tokenFor('ann', 'vault:open')}` }
  const socket = new WebSocket(place.url.replace('http', 'ws'), 'mcp', { headers })
  await once(socket, 'open')
  const call = async (name: string) => {
    socket.send(JSON.stringify(alone('tools/call', { name, arguments: {} }).message))
    const [data] = await soon(once(socket, 'message'), 'an answer')
    return JSON.parse(data.toString())
  }
  assert.deepEqual((await call('whoami')).result.structuredContent.scopes, ['vault:open'])
  assert.deepEqual((await call('take')).error.data, { scopes: ['vault:open', 'vault:take'] })
  socket.close()
  await once(socket, 'close')
})

test('acceptWebSockets: a connection ends when what was shown to open it does', async () => {
  await using authorization = await devServer({ warn: () => {}, tokenMs: 1_000 })
  await using listening = await serve(vault().definition, {
    http: 0,
    websocket: true,
    auth: { issuer: authorization.issuer, leewayMs: 60_000 },
  })
  const token = await authorization.tokenFor({ resources: [listening.url] })
  const socket = new WebSocket(listening.url.replace('http', 'ws'), 'mcp', {
    headers: { authorization: `Bearer ${token}` },
  })
  const [code, reason] = await soon(once(socket, 'close'), 'the connection to expire')
  assert.deepEqual([code, reason.toString()], [1008, 'authorization has expired'])
})
