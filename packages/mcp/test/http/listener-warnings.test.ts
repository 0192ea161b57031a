/** Refused connections, more of each kind than Node allows listeners: it must not warn of any. */
import assert from 'node:assert/strict'
import { getEventListeners, once, setMaxListeners } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, test } from 'node:test'
import { type ConnectOptions, connect, server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { WebSocket as WsWebSocket } from 'ws'
import { quiet } from '../fixtures/quiet.ts'
import { json, plain, scripted } from '../scripted-http.ts'
import { turnsUntil } from '../soon.ts'

/** One more than Node lets listen to one event. */
const tries = 11

const warnings: string[] = []
process.on('warning', ({ message }) => warnings.push(message))

// newer releases of Node no longer count the listeners of signals; Node 20 does
const signals: AbortSignal[] = []
globalThis.AbortController = class extends AbortController {
  constructor() {
    super()
    setMaxListeners(tries - 1, this.signal)
    signals.push(this.signal)
  }
}

/** Warnings are emitted in a later turn than their cause. */
async function warned(): Promise<string[]> {
  await new Promise((resolve) => setImmediate(resolve))
  return warnings.splice(0)
}

afterEach(async () => {
  assert.deepEqual(await warned(), [])
  const made = signals.splice(0)
  // the last one goes with its connection, which may close in a later turn
  const isFree = (one: AbortSignal): boolean => one.aborted || getEventListeners(one, 'abort').length === 0
  await turnsUntil(() => made.every(isFree), 'every signal to be without listeners')
})

test('eleven listeners at a signal are seen here', async () => {
  const stop = new AbortController()
  for (let count = 0; count < tries; count++) stop.signal.addEventListener('abort', () => {})
  assert.match(String(await warned()), /11 abort listeners added/)
  stop.abort()
})

/** Answers every request on a connection, which stays open, and nothing else. */
async function refusing(refuse: (socket: Socket) => unknown) {
  const sockets = new Set<Socket>()
  const raw = createServer((socket) => {
    sockets.add(socket.on('error', () => socket.destroy()))
    socket.on('data', (bytes) => /^[A-Z]+ .* HTTP/.test(String(bytes)) && refuse(socket))
  })
  await once(raw.listen(0, '127.0.0.1'), 'listening')
  const close = async (): Promise<void> => {
    raw.close()
    for (const socket of sockets) socket.destroy()
  }
  return { host: `127.0.0.1:${(raw.address() as AddressInfo).port}`, [Symbol.asyncDispose]: close }
}

const status = (line: string) => (socket: Socket) => socket.write(`HTTP/1.1 ${line}\r\nContent-Length: 0\r\n\r\n`)

const refusals: { readonly [name: string]: (socket: Socket) => unknown } = {
  'a broken connection': (socket) => socket.resetAndDestroy(),
  'status 401': status('401 Unauthorized'),
  'status 404': status('404 Not Found'),
  'status 407': status('407 Proxy Authentication Required'),
  'status 503': status('503 Service Unavailable'),
}

const ways: { readonly [name: string]: (host: string) => readonly [url: string, options: ConnectOptions] } = {
  'over HTTP': (host) => [`http://${host}/mcp`, {}],
  'through a proxy': (host) => ['http://example.test/mcp', { http: { network: { proxy: `http://${host}` } } }],
  'through a tunnel': (host) => ['https://example.test/mcp', { http: { network: { proxy: `http://${host}` } } }],
  'over WebSocket': (host) => [`ws://${host}/mcp`, {}],
  'over WebSocket with headers': (host) => [`ws://${host}/mcp`, { http: { headers: { 'x-own': 'mine' } } }],
  'over WebSocket of ws': (host) => [`ws://${host}/mcp`, { http: { WebSocket: WsWebSocket as never } }],
}

for (const [way, at] of Object.entries(ways)) {
  for (const [name, refuse] of Object.entries(refusals)) {
    test(`connect: eleven times ${name} ${way}, with one signal`, async () => {
      await using nobody = await refusing(refuse)
      const [url, options] = at(nobody.host)
      const { signal } = new AbortController()
      for (let count = 0; count < tries; count++) await assert.rejects(connect(new URL(url), { ...options, signal }))
    })
  }

  test(`connect: eleven times nothing listens ${way}, with one signal`, async () => {
    const nobody = await refusing(() => {})
    await nobody[Symbol.asyncDispose]()
    const [url, options] = at(nobody.host)
    const { signal } = new AbortController()
    for (let count = 0; count < tries; count++) await assert.rejects(connect(new URL(url), { ...options, signal }))
  })
}

for (const revision of ['2026-07-28', '2025-11-25']) {
  test(`callTool: eleven calls in ${revision} after the server went away, with one signal`, async () => {
    const listening = await serveHttp(server({ name: 'echo', ...quiet }).tool('echo', {}, () => 'echo'))
    await using mcp = await connect(new URL(listening.url), { revisions: [revision] })
    await listening.close()
    const { signal } = new AbortController()
    for (let count = 0; count < tries; count++) await assert.rejects(mcp.tools.call('echo', {}, { signal }))
  })
}

/** A server with sessions that breaks off what it is told to. */
async function breakingOff(breaks: (method: string, count: number) => boolean) {
  const counts: Record<string, number> = {}
  let session = 'first'
  const http = await scripted(({ method, headers, body }, response) => {
    const what = body.method ?? method
    counts[what] = (counts[what] ?? 0) + 1
    if (breaks(what, counts[what])) return void response.destroy()
    if (method !== 'POST') return plain(response, 405)
    const greeting = {
      protocolVersion: '2025-11-25',
      capabilities: { resources: { subscribe: true } },
      serverInfo: { name: 'x', version: '1' },
    }
    const result = what === 'initialize' ? greeting : {}
    if (what !== 'initialize' && headers['mcp-session-id'] !== session) return plain(response, 404)
    if (body.id === undefined) return plain(response, 202)
    json(response, { jsonrpc: '2.0', id: body.id, result }, 200, { 'mcp-session-id': session })
  })
  const lose = (): void => {
    session = 'second'
  }
  return { url: new URL(http.url), counts, lose, [Symbol.asyncDispose]: () => http[Symbol.asyncDispose]() }
}

const revisions = ['2025-11-25'] as const

test('listen: a stream that is broken off eleven times in one session', async () => {
  await using http = await breakingOff((what, count) => what === 'GET' && count <= tries)
  const reconnect = { minDelayMs: 1, maxDelayMs: 1, maxTries: tries }
  await using _ = await connect(http.url, { revisions, http: { reconnect } })
  await turnsUntil(() => http.counts.GET === tries + 1, 'the stream to be asked for again')
})

test('renew: subscriptions that are all broken off when a lost session is opened again', async () => {
  const uris = Array.from({ length: 4 * tries }, (_, at) => `test:${at}`)
  await using http = await breakingOff((what, count) => what === 'resources/subscribe' && count > uris.length)
  await using mcp = await connect(http.url, { revisions })
  await mcp.watch({ uris }, () => {})
  http.lose()
  await assert.rejects(mcp.ping())
  await turnsUntil(() => http.counts['resources/subscribe'] === 2 * uris.length, 'all subscriptions to be tried again')
})
