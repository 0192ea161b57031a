import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import '../../test/no-leaks.ts'
import { WebSocket } from 'ws'
import { lacking } from '../../../../tools/lib/needs.ts'
import { Recorder } from '../../test/recorder.ts'
import { event, events, scripted } from '../../test/scripted-http.ts'
import { asking } from '../../test/shaken.ts'
import { socketServer } from '../../test/socket-server.ts'
import type { Channel } from '../rpc/channel.ts'
import type { Message } from '../wire/messages.ts'
import { httpChannel } from './http/client/http-channel.ts'
import { sseChannel } from './http/client/sse-channel.ts'
import { type WebSocketChannelOptions, websocketChannel } from './http/client/websocket-channel.ts'
import { StdioChannel } from './stdio/stdio-channel.ts'

/** Numbered messages, all of which arrive together. */
const notices = Array.from({ length: 10 }, (_, number) => ({
  jsonrpc: '2.0' as const,
  method: 'notifications/message',
  params: { level: 'info', data: number },
}))
const asEvents = notices.map((notice) => `event: message\n${event(notice)}`).join('')

/** Pauses its channel with every message, for as long as it is told to. */
class PausingReceiver extends Recorder {
  isPausing = true
  resume = (): void => {}
  channel: Channel | undefined

  override message(message: Message | readonly Message[]): void {
    if (this.isPausing) this.resume = this.channel?.pause?.() ?? this.resume
    super.message(message)
  }

  get numbers(): readonly unknown[] {
    return this.messages.flatMap((message) => ('params' in message ? message.params?.data : []))
  }
}

/** Asserts that messages come one by one while the channel is paused after each, and then at once. */
async function assertPaused(receiver: PausingReceiver): Promise<void> {
  for (let count = 1; count <= 3; count += 1) {
    await receiver.received(count)
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    assert.equal(receiver.messages.length, count)
    receiver.resume()
  }
  receiver.isPausing = false
  receiver.resume()
  await receiver.received(notices.length)
  assert.deepEqual(
    receiver.numbers,
    notices.map(({ params }) => params.data),
  )
}

function opened<Opened extends Channel>(
  channel: Opened,
): { readonly channel: Opened; readonly receiver: PausingReceiver } {
  const receiver = new PausingReceiver()
  receiver.channel = channel
  channel.open(receiver)
  return { channel, receiver }
}

test('pause: over stdio no line passes, and the pipe is not read', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const { channel, receiver } = opened(new StdioChannel({ input, output }, { role: 'client' }))
  input.write(notices.map((notice) => `${JSON.stringify(notice)}\n`).join(''))
  await receiver.received(1)
  assert.ok(input.isPaused())
  input.write('later')
  await new Promise(setImmediate)
  assert.equal(input.readableLength, 'later'.length)
  await assertPaused(receiver)
  await new Promise(setImmediate)
  assert.equal(input.readableLength, 0)
  await channel.close()
})

test('pause: a channel closed while it is paused delivers nothing more', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const { channel, receiver } = opened(new StdioChannel({ input, output }, { role: 'client' }))
  input.write(notices.map((notice) => `${JSON.stringify(notice)}\n`).join(''))
  await receiver.received(1)
  await channel.close()
  receiver.resume()
  assert.equal(receiver.messages.length, 1)
})

test('pause: over HTTP no event of a response passes, and its answer comes last', async () => {
  await using server = await scripted((seen, response) => {
    events(response, asEvents, event({ jsonrpc: '2.0', id: seen.body.id, result: {} })).end()
  })
  const { channel, receiver } = opened(httpChannel(server.url))
  channel.send(asking('tools/call', 7))
  await assertPaused(receiver)
  const [last] = (await receiver.received(notices.length + 1)).slice(-1)
  assert.deepEqual(last, { jsonrpc: '2.0', id: 7, result: {} })
  await channel.close()
})

test('pause: over HTTP+SSE no event passes', async () => {
  await using server = await scripted((_, response) => {
    events(response, 'event: endpoint\ndata: /post\n\n', asEvents)
  })
  const { channel, receiver } = opened(sseChannel(server.url))
  await assertPaused(receiver)
  await channel.close()
})

const skip = lacking('websocket', globalThis.WebSocket !== undefined)
const sockets: readonly (readonly [string, WebSocketChannelOptions])[] = [
  ['of the runtime', {}],
  ['that can be paused', { WebSocket: WebSocket as unknown as typeof globalThis.WebSocket }],
]

for (const [name, options] of sockets)
  test(`pause: over a WebSocket ${name} no message passes`, { skip }, async () => {
    await using server = await socketServer((end) => {
      end.agree()
      for (const notice of notices) end.send(JSON.stringify(notice))
    })
    const { channel, receiver } = opened(websocketChannel(server.url, options))
    await assertPaused(receiver)
    await channel.close()
  })

test('pause: a WebSocket that sends on beyond the size of one message is closed', { skip }, async () => {
  await using server = await socketServer((end) => {
    end.agree()
    for (const notice of notices) end.send(JSON.stringify(notice))
  })
  const { receiver } = opened(websocketChannel(server.url, { limits: { maxMessageBytes: 200 } }))
  assert.match(String(await receiver.whenClosed()), /sent more than 200 bytes while reading was paused/)
})
