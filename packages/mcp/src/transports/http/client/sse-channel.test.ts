import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import '../../../../test/no-leaks.ts'
import { Recorder } from '../../../../test/recorder.ts'
import { type Answering, error, event, events, json, plain, scripted } from '../../../../test/scripted-http.ts'
import { asking } from '../../../../test/shaken.ts'
import type { Message } from '../../../wire/messages.ts'
import { type SseChannelOptions, sseChannel } from './sse-channel.ts'

const ping = asking('ping', 1)
const pong = { jsonrpc: '2.0', id: 1, result: {} }

interface Ways {
  /** Start of the stream. */
  readonly start?: string
  /** Answers what is posted. @default accepts it and sends a pong */
  readonly post?: (stream: ServerResponse, ...posted: Parameters<Answering>) => void
  readonly get?: Answering
}

async function opened(ways: Ways = {}, options: SseChannelOptions = {}) {
  const { start = 'event: endpoint\ndata: /post?session=1\n\n', post = pongs } = ways
  let stream: ServerResponse | undefined
  const server = await scripted((seen, response) => {
    if (seen.method === 'POST') return post(stream as ServerResponse, seen, response)
    if (ways.get) return ways.get(seen, response)
    stream = events(response, start)
  })
  const channel = sseChannel(server.url, options)
  const receiver = new Recorder()
  channel.open(receiver)
  const dispose = async (): Promise<void> => {
    await channel.close()
    await server[Symbol.asyncDispose]()
  }
  return { server, channel, receiver, stream: () => stream, [Symbol.asyncDispose]: dispose }
}

const pongs: NonNullable<Ways['post']> = (stream, _, response) => {
  plain(response, 202, 'Accepted')
  stream.write(`event: message\n${event(pong)}`)
}

async function rejected(
  channel: { send(message: Message): Promise<void> | undefined },
  message: Message,
): Promise<void> {
  await channel.send(message)
}

test('SseChannel: posts to the address that the stream names, and receives on the stream', async () => {
  await using it = await opened({}, { headers: { authorization: 'Bearer 1' } })
  it.channel.send(ping)
  assert.deepEqual(await it.receiver.received(1), [pong])
  assert.deepEqual(
    it.server.seen.map(({ method, path, headers }) => [method, path, headers.accept, headers.authorization]),
    [
      ['GET', '/mcp', 'text/event-stream', 'Bearer 1'],
      ['POST', '/post?session=1', 'application/json, text/event-stream', 'Bearer 1'],
    ],
  )
})

test('SseChannel: the end of the stream is the end of the channel, and it does not come back', async () => {
  await using it = await opened()
  it.channel.send(ping)
  await it.receiver.received(1)
  it.stream()?.end()
  await assert.rejects(it.receiver.closing(), { code: 'Closed', outcome: 'Unknown' })
  await assert.rejects(rejected(it.channel, ping), { code: 'NotSent' })
  assert.equal(it.server.seen.filter(({ method }) => method === 'GET').length, 1)
})

const strangers = {
  'another origin': 'http://127.0.0.2:1/post',
  'another scheme': 'https://127.0.0.1/post',
  'no address': 'http://[',
}

for (const [what, address] of Object.entries(strangers)) {
  test(`SseChannel: refuses to post to ${what}`, async () => {
    await using it = await opened(
      { start: `event: endpoint\ndata: ${address}\n\n` },
      { headers: { authorization: 'x' } },
    )
    it.channel.send(ping)
    await assert.rejects(it.receiver.closing(), { code: 'InvalidResponse', outcome: 'NotSent' })
    assert.deepEqual(
      it.server.seen.map(({ method }) => method),
      ['GET'],
    )
    await it.server.seen[0]?.whenGone
  })
}

test('SseChannel: the address is named once, and what comes before it is skipped', async () => {
  const start = `${event(pong)}event: endpoint\ndata: first\n\nevent: endpoint\ndata: http://127.0.0.2:1/\n\n`
  await using it = await opened({ start })
  it.channel.send(ping)
  assert.deepEqual(await it.receiver.received(1), [pong])
  assert.equal(it.server.seen[1]?.path, '/first')
})

const noStreams: { readonly [what: string]: readonly [Answering, object] } = {
  'a refusal': [(_, response) => plain(response, 404), { code: 'Http', status: 404 }],
  'a page': [(_, response) => plain(response, 200, '<html></html>', 'text/html'), { code: 'InvalidResponse' }],
  'a closed connection': [(_, response) => void response.socket?.destroy(), { code: 'Closed' }],
  'an event that is too large': [
    (_, response) => void events(response, `data: ${'x'.repeat(2_000)}\n\n`),
    { code: 'TooLarge' },
  ],
}

for (const [what, [get, reason]] of Object.entries(noStreams)) {
  test(`SseChannel: ${what} instead of a stream closes it`, async () => {
    await using it = await opened({ get }, { limits: { maxMessageBytes: 1_000 } })
    it.channel.send(ping)
    await assert.rejects(it.receiver.closing(), reason)
    await assert.rejects(it.receiver.unanswered())
    assert.equal(it.receiver.reasons.length, 1)
  })
}

test('SseChannel: a refused message fails for its sender', async () => {
  const post: Ways['post'] = (_, seen, response) =>
    seen.body.id === 2 ? json(response, error(seen, -32600), 400) : plain(response, 403)
  await using it = await opened({ post })
  it.channel.send(ping)
  await assert.rejects(it.receiver.unanswered(), { code: 'Http', status: 403, outcome: 'Rejected' })
  it.channel.send(asking('ping', 2))
  const [told] = (await it.receiver.received(1)) as { id: number; error: { code: number } }[]
  assert.deepEqual([told?.id, told?.error.code], [2, -32600])
  await assert.rejects(rejected(it.channel, { jsonrpc: '2.0', method: 'x' }), { code: 'Http', status: 403 })
})

test('SseChannel: more messages than may be on their way are refused', async () => {
  await using it = await opened({ start: '' }, { limits: { maxRequestsInFlight: 2 } })
  it.channel.send(ping)
  await assert.rejects(rejected(it.channel, asking('ping', 2)), { code: 'Busy', outcome: 'NotSent' })
})

test('SseChannel: closing ends everything, once', async () => {
  await using it = await opened({ post: () => {} })
  it.channel.send(ping)
  await it.server.request(({ method }) => method === 'POST')
  await Promise.all([it.channel.close(), it.channel.close()])
  await Promise.all(it.server.seen.map(({ whenGone }) => whenGone))
  assert.deepEqual(it.receiver.reasons, [undefined])
  await assert.rejects(rejected(it.channel, ping), { code: 'NotSent' })
})

test('SseChannel: closed before it is opened, it says so when it is', async () => {
  const channel = sseChannel('http://127.0.0.1:1/')
  await channel.close()
  const receiver = new Recorder()
  channel.open(receiver)
  assert.deepEqual(receiver.reasons, [undefined])
})
