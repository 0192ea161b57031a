/** Requests that are framed in more than one way, never end, or end too late. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import type { HttpOptions } from '@trunkline/mcp/http'
import { type HttpServerOptions, serveHttp } from '@trunkline/mcp/node'
import { counting } from './counting.ts'
import { saidIn } from './faces.ts'
import { toolCall } from './messages.ts'
import { RawConnection, rawRequest, sendRaw } from './raw-socket.ts'

const { headers, body } = toolCall('count')
const lines = ['Host: 127.0.0.1', ...Object.entries(headers).map((line) => line.join(': '))]
const length = `Content-Length: ${Buffer.byteLength(body)}`
const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
/** A second request, seen only by a proxy that takes the first for shorter than it is. */
const smuggled = rawRequest('POST', '/mcp', [...lines, 'X-Smuggled: yes'], body)

async function open(options: HttpOptions & HttpServerOptions = {}) {
  const counted = counting()
  const listening = await serveHttp(counted.definition, options)
  const port = Number(new URL(listening.url).port)
  return {
    port,
    get reached() {
      return counted.reached
    },
    [Symbol.asyncDispose]: () => listening.close(),
  }
}

const post = (more: readonly string[], content: string): string =>
  rawRequest('POST', '/mcp', [...lines, ...more], content)

/** Requests that mean something else to a proxy between us and the client. */
const ambiguous: Readonly<Record<string, string>> = {
  'a length and chunks': post([length, 'Transfer-Encoding: chunked'], chunked + smuggled),
  'chunks and a length': post(['Transfer-Encoding: chunked', length], chunked + smuggled),
  'two lengths that differ': post([length, 'Content-Length: 5'], body),
  'two lengths that agree': post([length, length], body),
  'a list of lengths': post([`${length}, ${Buffer.byteLength(body)}`], body),
  'a length with a sign': post(['Content-Length: +5'], body),
  'a negative length': post(['Content-Length: -1'], body),
  'a length in hexadecimal': post(['Content-Length: 0x10'], body),
  'an unknown transfer coding': post(['Transfer-Encoding: identity'], body),
  'chunks that are not the last coding': post(['Transfer-Encoding: chunked, gzip'], chunked),
  'a disguised transfer coding': post([length, 'Transfer-Encoding : chunked'], chunked),
  'a transfer coding on a folded line': post([length, 'Transfer-Encoding:\r\n chunked'], chunked),
  'a folded header': post([length, 'X-Folded: one\r\n two'], body),
  'lines that end in a line feed': post([length], body).replaceAll('\r\n', '\n'),
  'one line that ends in a line feed': post([`X-Line: one\nX-Other: two`, length], body),
  'a line that ends in a carriage return': post([`X-Line: one\rX-Other: two`, length], body),
  'a header with a null character': post([length, 'X-Null: a\0b'], body),
  'a header name with a space': post([length, 'X Name: a'], body),
  'a chunk size that is no number': post(['Transfer-Encoding: chunked'], `zz\r\n${body}\r\n0\r\n\r\n`),
  'a chunk size that is too large': post(['Transfer-Encoding: chunked'], `fffffffffffffffff\r\n${body}\r\n0\r\n\r\n`),
  'a chunk that is longer than its size': post(['Transfer-Encoding: chunked'], `5\r\n${body}\r\n0\r\n\r\n`),
  'chunk lines that end in a line feed': post(['Transfer-Encoding: chunked'], chunked.replaceAll('\r\n', '\n')),
}

for (const [name, bytes] of Object.entries(ambiguous)) {
  test(`serveHttp: ${name}: refused, and neither this request nor one hidden in it is served`, async () => {
    await using at = await open()
    using connection = await RawConnection.to(at.port)
    connection.write(bytes)
    assert.equal((await connection.answer())?.status, 400)
    await connection.closing()
    assert.doesNotMatch(connection.received, /HTTP\/1\.1 200/)
    assert.equal(at.reached, 0)
  })
}

test('serveHttp: a body in chunks is measured, also when it arrives whole', async () => {
  await using at = await open({ limits: { maxMessageBytes: 1_000 } })
  const { headers: own, body: long } = toolCall('count', { padding: 'x'.repeat(1_000) })
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  const send = (...chunks: readonly string[]) => {
    const head = [
      'Host: 127.0.0.1',
      'Transfer-Encoding: chunked',
      ...Object.entries(own).map((line) => line.join(': ')),
    ]
    return sendRaw(at.port, rawRequest('POST', '/mcp', head, `${chunks.map(chunk).join('')}0\r\n\r\n`))
  }
  assert.equal((await send(long))?.status, 413)
  assert.equal((await send(...long))?.status, 413)
  assert.equal(at.reached, 0)
  assert.equal((await send(body))?.status, 200)
})

for (const line of [
  ...['Host: evil.test', 'Origin: http://evil.test', 'Content-Type: text/plain'],
  ...['Mcp-Method: tools/list', 'Mcp-Name: echo', 'MCP-Protocol-Version: 2025-11-25'],
]) {
  test(`serveHttp: of a header that appears twice none is taken for the only one: ${line}`, async () => {
    await using at = await open()
    const good = [...lines, 'Origin: http://localhost']
    for (const sent of [
      [...good, line],
      [line, ...good],
    ]) {
      const answer = await sendRaw(at.port, rawRequest('POST', '/mcp', sent, body))
      assert.ok([400, 403, 415].includes(answer?.status ?? 0), `${answer?.status}`)
    }
    assert.equal(at.reached, 0)
  })
}

test('serveHttp: too many headers are refused, not left out', async () => {
  await using at = await open()
  const many = Array.from({ length: 64 }, (_, number) => `X-${number}: 1`)
  const answer = await sendRaw(at.port, post([...many, 'Origin: http://evil.test'], body))
  assert.equal(answer?.status, 431)
  assert.equal((await sendRaw(at.port, post([`X-Long: ${'x'.repeat(17_000)}`], body)))?.status, 431)
  assert.equal(at.reached, 0)
})

test('serveHttp: a body that never ends is refused while it is read', async () => {
  await using at = await open()
  for (const type of [headers['content-type'], 'text/plain']) {
    const socket = connect(at.port, '127.0.0.1')
    let sent = 0
    let received = ''
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`
    const pump = (): void => {
      while (socket.writable && socket.write(chunk)) sent += chunk.length
    }
    socket.on('data', (bytes) => {
      received += bytes
    })
    socket.on('drain', pump).on('error', () => {})
    socket.write(rawRequest('POST', '/mcp', ['Host: localhost', `Content-Type: ${type}`, 'Transfer-Encoding: chunked']))
    pump()
    await new Promise((resolve) => socket.once('close', resolve))
    assert.match(received, type === 'text/plain' ? /^HTTP\/1.1 415 / : /^HTTP\/1.1 413 /)
    assert.match(received, /^connection: close\r$/im)
    assert.ok(sent > 0)
  }
  assert.equal(saidIn({ text: (await sendRaw(at.port, post([], body)))?.body ?? '' }), '1')
})

test('serveHttp: a client that sends too much can still read the reason, although more is on its way', async () => {
  await using at = await open()
  for (let round = 0; round < 20; round++) {
    const answer = await fetch(`http://127.0.0.1:${at.port}/mcp`, {
      method: 'POST',
      headers,
      body: 'x'.repeat(6_000_000),
    })
    assert.equal(answer.status, 413)
    assert.match(await answer.text(), /Content too large/)
  }
  assert.equal(at.reached, 0)
})

test('serveHttp: a length that promises too much is refused at once', async () => {
  await using at = await open()
  const answer = await sendRaw(at.port, post(['Content-Length: 4194305'], ''))
  assert.equal(answer?.status, 413)
})

test('serveHttp: a body of exactly the limit is read', async () => {
  await using at = await open()
  const padded = body + ' '.repeat(4_194_304 - Buffer.byteLength(body))
  assert.equal((await sendRaw(at.port, post([], padded)))?.status, 200)
  assert.equal((await sendRaw(at.port, post([], `${padded} `)))?.status, 413)
  assert.equal(at.reached, 1)
})

test('serveHttp: a body that is shorter than promised is never served', async () => {
  await using at = await open({ requestTimeoutMs: 50 })
  using connection = await RawConnection.to(at.port)
  connection.write(post([`Content-Length: ${Buffer.byteLength(body) + 1}`], body))
  assert.equal((await connection.answer())?.status, 408)
  using leaving = await RawConnection.to(at.port)
  leaving.write(post([`Content-Length: ${Buffer.byteLength(body) + 1}`], body))
  leaving.socket.end()
  await leaving.closing()
  assert.equal(at.reached, 0)
})

for (const [name, at] of [
  ['headers', 20],
  ['a body', rawRequest('POST', '/mcp', [...lines, length]).length + 5],
] as const) {
  test(`serveHttp: ${name} that drip are cut off`, async () => {
    await using server = await open({ headersTimeoutMs: 100, requestTimeoutMs: 100 })
    using connection = await RawConnection.to(server.port)
    const bytes = post([length], body)
    connection.write(bytes.slice(0, at))
    let next = at
    const drip = setInterval(() => connection.write(bytes[next++] ?? ''), 5)
    const answer = await connection.answer()
    clearInterval(drip)
    assert.equal(answer?.status, 408)
    assert.ok(next < bytes.length)
    assert.equal(server.reached, 0)
  })
}

test('serveHttp: requests that arrive slowly do not delay others', async () => {
  await using at = await open()
  const dripping = await Promise.all(Array.from({ length: 50 }, () => RawConnection.to(at.port)))
  for (const connection of dripping) connection.write(post([length], body).slice(0, -5))
  assert.equal((await sendRaw(at.port, post([], body)))?.status, 200)
  for (const connection of dripping) connection.socket.destroy()
  assert.equal(at.reached, 1)
})

for (const bytes of ['CONNECT evil.test:80 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n']) {
  test(`serveHttp: ${bytes.split('\r', 1)[0]} leads nowhere`, async () => {
    await using at = await open()
    const answer = await sendRaw(at.port, bytes)
    assert.ok(answer === undefined || answer.status === 400)
  })
}
