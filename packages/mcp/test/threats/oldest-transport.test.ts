/** The oldest transport over HTTP, which has no guard of its own to forget: it is the same one. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type HttpOptions, toFetch } from '@trunkline/mcp/http'
import { toNode } from '@trunkline/mcp/node'
import { until } from '../../../../tools/lib/until.ts'
import { counting } from './counting.ts'
import { jsonHeaders, opening } from './messages.ts'
import { RawConnection, rawRequest, sendRaw } from './raw-socket.ts'

const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'count', arguments: {} } })

/** A server that is told who calls, and counts what it was asked for. */
async function open(options: HttpOptions = {}) {
  const counted = counting()
  let waits = 0
  counted.definition.tool('wait', {}, () => {
    waits += 1
    return new Promise<never>(() => {})
  })
  const listener = toNode(counted.definition, { sse: true, ...options })
  const http = createServer((request, response) => {
    const { 'x-principal': principal } = request.headers
    listener.handle(request, response, typeof principal === 'string' ? { principal } : {})
  })
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const { port } = http.address() as AddressInfo
  return {
    port,
    counted,
    waits: (count: number) => until(() => waits === count, `${count} calls to wait`),
    async [Symbol.asyncDispose]() {
      await listener.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

/** Opens a stream, and tells where to post. */
async function stream(port: number, principal: string) {
  const connection = await RawConnection.to(port)
  const headers = ['Host: localhost', 'Accept: text/event-stream', `X-Principal: ${principal}`]
  connection.write(rawRequest('GET', '/sse', headers))
  const [, path = ''] = /^data: (.+)$/m.exec(await connection.until(/^data: .+$/m)) ?? []
  const post = (body: string, who = principal, more: readonly string[] = []) => {
    const lines = Object.entries(jsonHeaders).map((line) => line.join(': '))
    return sendRaw(port, rawRequest('POST', path, ['Host: localhost', `X-Principal: ${who}`, ...lines, ...more], body))
  }
  return { connection, path, post }
}

test('SseEndpoint: to other callers a stream does not exist', async () => {
  await using at = await open()
  const { connection, post } = await stream(at.port, 'alice')
  assert.equal((await post(call, 'mallory'))?.status, 404)
  assert.equal((await post(opening('2024-11-05').body))?.status, 202)
  await connection.until(/"protocolVersion":"2024-11-05"/)
  assert.equal((await post(call, 'mallory'))?.status, 404)
  assert.equal(at.counted.reached, 0)
  assert.equal((await post(call))?.status, 202)
  await connection.until(/"text":"1"/)
  connection.socket.destroy()
})

test('SseEndpoint: a post that is not by the rules is refused like everywhere else', async () => {
  await using at = await open()
  const { connection, post, path } = await stream(at.port, 'alice')
  await post(opening('2024-11-05').body)
  assert.equal((await post(`[${call}]`))?.status, 400)
  assert.equal((await post(call.replace('"id":1', '"id":1,"id":2')))?.status, 400)
  assert.equal((await post(' '.repeat(4_194_305)))?.status, 413)
  assert.equal((await post(call, 'alice', ['Content-Encoding: gzip']))?.status, 415)
  assert.equal((await post(call, 'alice', ['Content-Type: text/plain']))?.status, 415)
  assert.equal((await post(call, 'alice', ['Origin: http://evil.test']))?.status, 403)
  for (const guess of ['', '?session=', '?session=__proto__', `${path}0`.slice('/messages'.length), '?session=1']) {
    const sent = rawRequest('POST', `/messages${guess}`, ['Host: localhost', 'Content-Type: application/json'], call)
    assert.equal((await sendRaw(at.port, sent))?.status, 404, guess)
  }
  assert.equal(at.counted.reached, 0)
  connection.socket.destroy()
})

test('SseEndpoint: streams have a limit, altogether and per caller, and one that ends makes room', async () => {
  await using at = await open({ sse: true, limits: { maxSseStreams: 3, maxSseStreamsPerCaller: 2 } })
  const refused = async (principal: string): Promise<void> => {
    const headers = ['Host: localhost', 'Accept: text/event-stream', `X-Principal: ${principal}`]
    const answer = await sendRaw(at.port, rawRequest('GET', '/sse', headers))
    assert.equal(answer?.status, 503)
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
  }
  const first = await stream(at.port, 'alice')
  const second = await stream(at.port, 'alice')
  await refused('alice')
  const third = await stream(at.port, 'bob')
  await refused('carol')
  first.connection.socket.destroy()
  await until(() => at.counted.definition.live.connections === 2, 'the stream to be missed')
  const next = await stream(at.port, 'carol')
  for (const { connection } of [second, third, next]) connection.socket.destroy()
})

test('SseEndpoint: requests of a stream that ended free their slots for others', async () => {
  await using at = await open({ limits: { maxRequestsInFlight: 2, maxRequestsInFlightPerCaller: 2 } })
  const wait = (id: number) => call.replace('"id":1', `"id":${id}`).replace('count', 'wait')
  for (let round = 1; round <= 3; round++) {
    const { connection, post } = await stream(at.port, 'alice')
    assert.equal((await post(opening('2024-11-05').body))?.status, 202)
    await connection.until(/"protocolVersion"/)
    assert.deepEqual([(await post(wait(1)))?.status, (await post(wait(2)))?.status], [202, 202], `round ${round}`)
    await at.waits(2 * round)
    assert.equal((await post(call.replace('"id":1', '"id":3')))?.status, 503)
    connection.socket.destroy()
    await until(() => at.counted.definition.live.connections === 0, 'the stream to be missed')
  }
})

test('toFetch: a reader of the oldest transport who leaves ends the stream once', async () => {
  const { definition } = counting()
  const handler = toFetch(definition, { sse: true })
  const { body } = await handler(new Request('http://localhost/sse', { headers: { accept: 'text/event-stream' } }))
  assert.equal(definition.live.connections, 1)
  await body?.cancel()
  // an error here would be unhandled
  await setImmediate()
  assert.equal(definition.live.connections, 0)
})
