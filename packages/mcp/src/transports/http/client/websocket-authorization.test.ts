import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import '../../../../test/no-leaks.ts'
import { lacking } from '../../../../../../tools/lib/needs.ts'
import { Recorder } from '../../../../test/recorder.ts'
import type { Authorizer } from '../../../rpc/authorizer.ts'
import { type WebSocketChannelOptions, websocketChannel } from './websocket-channel.ts'

const skip = lacking('websocket', globalThis.WebSocket !== undefined)

/** A place that lets no socket in, and says why only to those who ask by a request. */
async function closedPlace(status: number) {
  const seen: { upgrades: IncomingHttpHeaders[]; requests: IncomingHttpHeaders[] } = { upgrades: [], requests: [] }
  const server = createServer((request, response) => {
    seen.requests.push(request.headers)
    response.writeHead(status, { 'www-authenticate': 'Bearer' }).end()
  })
  server.on('upgrade', ({ headers }, socket) => {
    seen.upgrades.push(headers)
    // the runtime would try a refusal by 401 once more by itself
    socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const dispose = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { seen, url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, [Symbol.asyncDispose]: dispose }
}

/** Reason why a channel to the place ends. */
async function reasonAt(url: string, options: WebSocketChannelOptions): Promise<unknown> {
  const receiver = new Recorder()
  const channel = websocketChannel(url, options)
  channel.open(receiver)
  const reason = await receiver.whenClosed()
  await channel.close()
  return reason
}

/** Shows a number that grows with every refusal. */
function counting(most: number): Authorizer & { readonly urls: string[] } {
  let refusals = 0
  const urls: string[] = []
  return {
    urls,
    async authorize({ url }) {
      urls.push(url)
      return { authorization: `Bearer ${refusals}` }
    },
    challenged: async () => ++refusals < most,
  }
}

test('SocketEntry: a socket shows what the user and the authorizer give, as a request to the same place would', {
  skip,
}, async () => {
  await using place = await closedPlace(404)
  const authorizer = counting(1)
  await reasonAt(place.url, { authorizer, headers: { 'x-tenant': 'a' } })
  const shown = [...place.seen.upgrades, ...place.seen.requests]
  assert.ok(shown.length > 1)
  for (const { authorization, 'x-tenant': tenant } of shown)
    assert.deepEqual([authorization, tenant], ['Bearer 0', 'a'])
  assert.deepEqual([...new Set(authorizer.urls)], [place.url.replace('ws:', 'http:')])
})

test('SocketEntry: a refused connection is tried once more and not again', { skip }, async () => {
  await using place = await closedPlace(404)
  const reason = await reasonAt(place.url, { authorizer: counting(1) })
  assert.match(String(reason), /Cannot reach ws:.*: no connection to .* can be made/)
  assert.deepEqual([place.seen.upgrades.length, place.seen.requests.length], [2, 1])
})

test('SocketEntry: when the authorizer knows no way, the refusal is what is reported', { skip }, async () => {
  await using place = await closedPlace(401)
  const reason = (await reasonAt(place.url, { authorizer: counting(3) })) as { status?: number; code?: string }
  assert.deepEqual([reason.code, reason.status], ['Http', 401])
  assert.deepEqual([place.seen.upgrades.length, place.seen.requests.length], [1, 3])
})

test('SocketEntry: closing ends what the authorizer is busy with', { skip }, async () => {
  await using place = await closedPlace(401)
  const receiver = new Recorder()
  let asked = (): void => {}
  const busy = new Promise<void>((resolve) => {
    asked = resolve
  })
  const authorizer: Authorizer = {
    authorize: async () => ({}),
    challenged: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
        asked()
      }),
  }
  const channel = websocketChannel(place.url, { authorizer })
  channel.open(receiver)
  await busy
  assert.equal(channel.isHeld, true)
  await channel.close()
  assert.deepEqual(receiver.reasons, [undefined])
})

test('websocketChannel: says so where a socket cannot show anything', { skip }, async () => {
  class Plain extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      if (typeof protocols !== 'string') throw new SyntaxError('no protocol')
      super(url, protocols)
    }
  }
  await using place = await closedPlace(404)
  const reason = (await reasonAt(place.url, { authorizer: counting(1), WebSocket: Plain })) as { code?: string }
  assert.equal(reason.code, 'Unsupported')
  assert.match(String(reason), /use the http: or https: address/)
})
