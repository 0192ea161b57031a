import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../../../test/no-leaks.ts'
import { Recorder } from '../../../../test/recorder.ts'
import { type Answering, error, event, events, json, plain, result, scripted } from '../../../../test/scripted-http.ts'
import { open } from '../../../client/open.ts'
import type { Channel } from '../../../rpc/channel.ts'
import type { Fields, RequestMessage } from '../../../wire/messages.ts'
import { nodeFetch } from './fetch/node-fetch.ts'
import { httpChannel } from './http-channel.ts'
import type { HeaderRecord, HttpChannelOptions } from './http-channel-options.ts'

const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }

/** A request that says for itself who is calling. */
function asking(method: string, params: Fields = {}, id = 1): RequestMessage {
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } }
}

const listing = asking('tools/list')
const answer = { jsonrpc: '2.0', id: 1, result: { tools: [] } } as const
const notice = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1, progressToken: 1 } } as const

async function opened(answering: Answering, options: HttpChannelOptions = {}) {
  const server = await scripted(answering)
  const channel = httpChannel(server.url, options)
  const receiver = new Recorder()
  channel.open(receiver)
  const dispose = async (): Promise<void> => {
    await channel.close()
    await server[Symbol.asyncDispose]()
  }
  return { server, channel, receiver, [Symbol.asyncDispose]: dispose }
}

test('HttpChannel: a request is a POST that accepts JSON and events', async () => {
  await using it = await opened((seen, response) => json(response, result(seen, { tools: [] })))
  it.channel.send(listing)
  assert.deepEqual(await it.receiver.received(1), [answer])
  const [seen] = it.server.seen
  assert.equal(seen?.method, 'POST')
  assert.equal(seen?.headers.accept, 'application/json, text/event-stream')
  assert.equal(seen?.headers['content-type'], 'application/json')
  assert.equal(seen?.headers['mcp-protocol-version'], '2026-07-28')
  assert.equal(seen?.headers['mcp-method'], 'tools/list')
  assert.equal(seen?.headers['mcp-name'], undefined)
  assert.deepEqual(seen?.body, listing)
})

/** The text of a header, read by the rules rather than by our own code. */
function decoded(value: string | string[] | undefined): string | undefined {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(String(value)) ?? []
  return base64 === undefined ? (value as string | undefined) : Buffer.from(base64, 'base64').toString('utf8')
}

const names = [
  'plain',
  'with space',
  ' padded ',
  'línea',
  '日本語',
  'a\r\nx-evil: 1',
  '\t',
  '=?base64?eA==?=',
  '🦊',
  '',
]

for (const name of names) {
  test(`HttpChannel: the name ${JSON.stringify(name)} reaches the server in a header`, async () => {
    await using it = await opened((seen, response) => json(response, result(seen, {})))
    it.channel.send(asking('tools/call', { name }, 1), { labels: { Region: name } })
    it.channel.send(asking('prompts/get', { name }, 2))
    it.channel.send(asking('resources/read', { uri: name }, 3))
    await it.receiver.received(3)
    for (const { headers } of it.server.seen) {
      assert.equal(decoded(headers['mcp-name']), name)
      assert.equal(headers['x-evil'], undefined)
    }
    const call = it.server.seen.find(({ body }) => body.method === 'tools/call')
    assert.equal(decoded(call?.headers['mcp-param-region']), name)
  })
}

test('HttpChannel: messages on a stream before the answer are delivered before it', async () => {
  await using it = await opened((_, response) => {
    events(response, ': hello\n\n', event(notice), event(notice), event(answer)).end()
  })
  it.channel.send(listing)
  assert.deepEqual(await it.receiver.received(3), [notice, notice, answer])
})

test('HttpChannel: events of other kinds and without data are skipped', async () => {
  await using it = await opened((_, response) => {
    events(response, 'event: ping\ndata: {}\n\n', 'data:\n\n', 'event: message\n', event(answer)).end()
  })
  it.channel.send(listing)
  assert.deepEqual(await it.receiver.received(1), [answer])
})

test('HttpChannel: a stream that stays open after the answer is let go', async () => {
  await using it = await opened((_, response) => void events(response, event(answer)))
  it.channel.send(listing)
  await it.receiver.received(1)
  await it.server.seen[0]?.whenGone
  assert.deepEqual(it.receiver.failures, [])
})

test('HttpChannel: answers to others are handed on and settle nothing here', async () => {
  const other = { ...answer, id: '1' }
  await using it = await opened((_, response) => void events(response, event(other), event(answer)).end())
  it.channel.send(listing)
  assert.deepEqual(await it.receiver.received(2), [other, answer])
  assert.deepEqual(it.receiver.failures, [])
})

test('HttpChannel: a server that had no handshake cannot ask anything, and is sent no answers', async () => {
  const question = { jsonrpc: '2.0', id: 9, method: 'sampling/createMessage', params: {} }
  await using it = await opened((_, response) => {
    events(response, event(question), event({ ...question, method: 7 }), event(answer)).end()
  })
  it.channel.send(listing)
  assert.deepEqual(await it.receiver.received(1), [answer])
  assert.deepEqual(it.receiver.refusals, [])
  await it.channel.send({ jsonrpc: '2.0', id: 9, result: {} })
  assert.equal(it.server.seen.length, 1)
})

test('HttpChannel: abandoning a request that stands for itself ends its connection', async () => {
  await using it = await opened(() => {})
  it.channel.send(listing)
  const seen = await it.server.request(({ body }) => body.method === 'tools/list')
  it.channel.abandon?.(1)
  await seen.whenGone
  assert.deepEqual(it.receiver.failures, [])
  assert.equal(it.server.seen.length, 1)
})

test('HttpChannel: the abort of a user reaches the server', async () => {
  const discovered = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
  await using it = await opened((seen, response) => {
    if (seen.body.method === 'server/discover') json(response, result(seen, discovered))
    else events(response, event(notice))
  })
  await using client = await open(() => httpChannel(it.server.url), { onWarning: () => {} })
  const stop = new AbortController()
  const call = client.tools.call('hang', {}, { signal: stop.signal })
  const seen = await it.server.request(({ body }) => body.method === 'tools/call')
  stop.abort(new Error('enough'))
  await assert.rejects(call, /enough/)
  await seen.whenGone
  assert.equal(it.server.seen.length, 2)
})

test('HttpChannel: a request abandoned before its headers are there is never sent', async () => {
  let release = (_: HeaderRecord): void => {}
  const headers = new Promise<HeaderRecord>((resolve) => {
    release = resolve
  })
  await using it = await opened((seen, response) => json(response, result(seen, { tools: [] })), {
    headers: () => headers,
  })
  it.channel.send(asking('tools/call', {}, 7))
  it.channel.abandon?.(7)
  it.channel.send(listing)
  release({})
  await it.receiver.received(1)
  assert.deepEqual(
    it.server.seen.map(({ body }) => body.id),
    [1],
  )
})

for (const status of [400, 404, 409, 418, 500, 503]) {
  test(`HttpChannel: a protocol error on status ${status} is that error`, async () => {
    await using it = await opened((seen, response) => {
      const { id, ...withoutId } = error(seen, -32601)
      if (seen.body.id === 1) json(response, { id, ...withoutId }, status)
      else json(response, seen.body.id === 2 ? withoutId : { ...withoutId, id: null }, status)
    })
    for (const id of [1, 2, 3]) it.channel.send(asking('x', {}, id))
    const messages = (await it.receiver.received(3)) as { id: number; error: { code: number } }[]
    assert.deepEqual(messages.map(({ id }) => id).sort(), [1, 2, 3])
    for (const { error: told } of messages) assert.equal(told.code, -32601)
  })
}

test('HttpChannel: 101 settles a call at once, with carriers of every kind', async () => {
  for (const carry of [nodeFetch, undefined]) {
    const answering: Answering = (_, response) => {
      response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\nbytes')
    }
    await using it = await opened(answering, carry && { fetch: carry })
    it.channel.send(asking('tools/call'))
    const told = carry
      ? { code: 'Http', status: 101, message: /answered 101 Switching Protocols/ }
      : { code: 'Closed', message: /the connection broke/ }
    await assert.rejects(it.receiver.unanswered(), { ...told, outcome: 'Unknown' })
  }
})

const invalid: { readonly [answer: string]: Answering } = {
  '202': (_, response) => plain(response, 202),
  '204': (_, response) => plain(response, 204),
  'a page': (_, response) => plain(response, 200, '<html></html>', 'text/html'),
  'nothing at all': (_, response) => plain(response, 200),
  'an empty body': (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(' '),
  'half of a JSON text': (_, response) => plain(response, 200, '{"jsonrpc":', 'application/json'),
  'bytes that are no text': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from([0x22, 0xff, 0x22]))
  },
  'an error for no request': (_, response) =>
    json(response, { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }),
  'an answer to another request': (_, response) => json(response, { ...answer, id: 2 }),
  'an answer to the same id as text': (_, response) => json(response, { ...answer, id: '1' }),
  'no object': (_, response) => json(response, [1]),
  'an event that is no message': (_, response) => void events(response, 'data: hello\n\n').end(),
  'an event without an id for what it answers': (_, response) =>
    void events(response, event({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } })).end(),
}

for (const [name, answering] of Object.entries(invalid)) {
  test(`HttpChannel: ${name} is no answer`, async () => {
    await using it = await opened(answering)
    it.channel.send(listing)
    await assert.rejects(it.receiver.unanswered(), { code: 'InvalidResponse', outcome: 'Unknown' })
  })
}

test('HttpChannel: an answer that breaks the rules of its own settles the call it names', async () => {
  await using it = await opened((_, response) => json(response, { jsonrpc: '2.0', id: 1, result: 7 }))
  it.channel.send(listing)
  assert.deepEqual(
    (await it.receiver.refused(1)).map(({ id }) => id),
    [1],
  )
})

const broken: { readonly [how: string]: Answering } = {
  'before a response': (_, response) => void response.socket?.destroy(),
  'within a JSON text': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
    response.write('{"json', () => response.socket?.destroy())
  },
  'within a stream': (_, response) => void events(response).write('data: {', () => response.socket?.destroy()),
  'after events that have ids': (_, response) => void events(response, event(notice, '1')).end(),
}

for (const [how, answering] of Object.entries(broken)) {
  test(`HttpChannel: a connection that ends ${how} leaves the outcome unknown, at once`, async () => {
    await using it = await opened(answering)
    it.channel.send(listing)
    await assert.rejects(it.receiver.unanswered(), { code: 'Closed', outcome: 'Unknown' })
    assert.deepEqual(
      it.server.seen.map(({ method }) => method),
      ['POST'],
    )
  })
}

for (const code of ['ENOTFOUND', 'ECONNREFUSED', 'CERT_HAS_EXPIRED', 'ConnectionRefused']) {
  test(`HttpChannel: ${code} means that nothing was sent`, async () => {
    const cause = new Error('fetch failed', { cause: Object.assign(new Error(code), { code }) })
    await using it = await opened(() => {}, { fetch: () => Promise.reject(cause) })
    it.channel.send(listing)
    await assert.rejects(it.receiver.unanswered(), { code: 'NotSent', outcome: 'NotSent', cause })
  })
}

test('HttpChannel: the headers of the user go with every request, and cannot replace those of the protocol', async () => {
  let token = 0
  const headers = async () => ({ Authorization: `Bearer ${token++}`, ACCEPT: 'text/plain', 'Mcp-Method': 'x' })
  await using it = await opened((seen, response) => json(response, result(seen, {})), { headers })
  it.channel.send(asking('tools/list', {}, 1))
  await it.receiver.received(1)
  it.channel.send(asking('tools/list', {}, 2))
  await it.receiver.received(2)
  assert.deepEqual(
    it.server.seen.map(({ headers: { authorization, accept, 'mcp-method': method } }) => [
      authorization,
      accept,
      method,
    ]),
    [0, 1].map((count) => [`Bearer ${count}`, 'application/json, text/event-stream', 'tools/list']),
  )
})

test('HttpChannel: a header that cannot be sent is not repeated in the error', async () => {
  await using it = await opened(() => {}, { headers: { authorization: 'Bearer sec\nret' } })
  it.channel.send(listing)
  await assert.rejects(
    it.receiver.unanswered(),
    ({ code, outcome, message, cause }) =>
      code === 'Misuse' && outcome === 'NotSent' && !message.includes('ret') && cause === undefined,
  )
})

test('HttpChannel: an error of the user’s function fails the call unchanged', async () => {
  const wrong = new Error('No token')
  await using it = await opened(() => {}, { headers: () => Promise.reject(wrong) })
  it.channel.send(listing)
  await assert.rejects(it.receiver.unanswered(), (error) => error === wrong)
})

test('HttpChannel: more messages than may be on their way are refused', async () => {
  await using it = await opened(() => {}, { limits: { maxRequestsInFlight: 2 } })
  it.channel.send(asking('x', {}, 1))
  it.channel.send(asking('x', {}, 2))
  await assert.rejects(Promise.resolve(it.channel.send(asking('x', {}, 3))), { code: 'Busy', outcome: 'NotSent' })
})

test('HttpChannel: params that are not JSON fail the call', async () => {
  await using it = await opened(() => {})
  it.channel.send(asking('x', { big: 1n }))
  await assert.rejects(it.receiver.unanswered(), { code: 'Misuse', outcome: 'NotSent' })
})

test('HttpChannel: closing ends what is under way, once, and nothing is sent after it', async () => {
  await using it = await opened((seen, response) => void (seen.body.id === 1 && events(response, event(notice))))
  for (const id of [1, 2]) it.channel.send(asking('x', {}, id))
  await Promise.all([1, 2].map((id) => it.server.request(({ body }) => body.id === id)))
  await it.receiver.received(1)
  await Promise.all([it.channel.close(), it.channel.close()])
  assert.deepEqual(it.receiver.reasons, [undefined])
  await Promise.all(it.server.seen.map(({ whenGone }) => whenGone))
  await assert.rejects(Promise.resolve(it.channel.send(listing)), { code: 'NotSent', outcome: 'NotSent' })
  assert.deepEqual(it.receiver.failures, [])
  assert.equal(it.server.seen.length, 2)
})

test('HttpChannel: closed before it is opened, it says so when it is', async () => {
  const channel: Channel = httpChannel('http://127.0.0.1:1/')
  await channel.close()
  const receiver = new Recorder()
  channel.open(receiver)
  assert.deepEqual(receiver.reasons, [undefined])
})

test('httpChannel: refuses addresses that are no HTTP, or that hold a password', () => {
  assert.throws(() => httpChannel('ftp://example.com'), { code: 'Misuse' })
  assert.throws(
    () => httpChannel('http://user:secret@example.com'),
    ({ code, message }) => code === 'Misuse' && !message.includes('secret'),
  )
  assert.throws(() => httpChannel('http://example.com', { closeMs: Number.NaN }), { code: 'Misuse' })
})
