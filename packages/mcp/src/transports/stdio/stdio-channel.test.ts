import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { Recorder } from '../../../test/recorder.ts'
import { soon } from '../../../test/soon.ts'
import { Malformed } from '../../wire/classify.ts'
import { InvalidRequest, McpError, ParseError } from '../../wire/errors.ts'
import { StdioChannel, type StdioOptions } from './stdio-channel.ts'

interface Opened {
  readonly channel: StdioChannel
  readonly receiver: Recorder
  readonly input: PassThrough
  readonly output: PassThrough
}

function opened(options: Partial<StdioOptions> = {}): Opened {
  const input = new PassThrough()
  const output = new PassThrough()
  const receiver = new Recorder()
  const channel = new StdioChannel({ input, output }, { role: 'server', ...options })
  channel.open(receiver)
  return { channel, receiver, input, output }
}

const ping = { jsonrpc: '2.0', id: 0, method: 'ping' } as const
const line = (value: unknown): string => `${JSON.stringify(value)}\n`

test('StdioChannel: delivers messages in order', async () => {
  const { receiver, input } = opened()
  input.write(line(ping) + line({ ...ping, id: '0' }))
  assert.deepEqual(await receiver.received(2), [ping, { ...ping, id: '0' }])
})

test('StdioChannel: writes one line for each message', async () => {
  const { channel, output } = opened()
  const text = { jsonrpc: '2.0', id: 1, result: { text: 'a\r\nb\u2028' } } as const
  void channel.send(ping)
  void channel.send([ping, text])
  await channel.close()
  const lines = String(output.read()).split('\n')
  assert.deepEqual(
    lines.slice(0, -1).map((sent) => JSON.parse(sent)),
    [ping, [ping, text]],
  )
})

test('StdioChannel: a batch arrives as one, without what is malformed in it', async () => {
  const { receiver, input } = opened()
  input.write(line([ping, { id: 5, method: 'x' }, 7]))
  assert.deepEqual(await receiver.received(1), [[ping]])
  assert.deepEqual(
    receiver.refusals.map(({ error, id }) => [error.code, id]),
    [
      [InvalidRequest, 5],
      [InvalidRequest, undefined],
    ],
  )
})

test('StdioChannel: a server refuses every line that it cannot read, and reads on', async () => {
  const { receiver, input } = opened({ limits: { maxMessageBytes: 100 } })
  input.write('hello\n{"a":1,"a":2}\n[]\n42\n{"method":1}\n')
  input.write(Buffer.from([0x22, 0xff, 0x22, 0x0a]))
  input.write(line({ ...ping, id: 9, params: { long: 'x'.repeat(100) } }))
  input.write(line(ping))
  assert.deepEqual(await receiver.received(1), [ping])
  assert.deepEqual(
    receiver.refusals.map(({ error }) => error.code),
    [ParseError, ParseError, InvalidRequest, InvalidRequest, InvalidRequest, ParseError, InvalidRequest],
  )
})

test('StdioChannel: a request that is too long is refused by its id', async () => {
  const { receiver, input } = opened({ limits: { maxMessageBytes: 100 } })
  input.write(line({ ...ping, id: 9, params: { long: 'x'.repeat(100) } }))
  const [refusal] = await receiver.refused(1)
  assert.equal(refusal?.id, 9)
  assert.equal(refusal?.error.message, 'Cannot read message: the line is longer than 100 bytes')
})

test('StdioChannel: a client reports noise and refuses none of it', async () => {
  const noise: string[] = []
  const { receiver, input } = opened({ role: 'client', onNoise: (text) => noise.push(text) })
  const lines = ['Listening on stdio', '[info] ready', '42', '{"level":30,"msg":"log"}', '[]', 'x'.repeat(5_000)]
  input.write(lines.map((text) => `${text}\r\n`).join('') + line(ping))
  assert.deepEqual(await receiver.received(1), [ping])
  assert.deepEqual(noise, [...lines.slice(0, -1), 'x'.repeat(1_024)])
  assert.deepEqual(receiver.refusals, [])
})

test('StdioChannel: a client learns which call an unreadable answer belongs to', async () => {
  const { receiver, input } = opened({ role: 'client', limits: { maxMessageBytes: 200 } })
  input.write('{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2}}\n')
  input.write(`{"result":{"text":"${'x'.repeat(200)}"},"jsonrpc":"2.0","id":"two"}\n`)
  input.write(
    Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":3,"result":{"a":"'), Buffer.from([0xff]), Buffer.from('"}}\n')]),
  )
  input.write('{"jsonrpc":"2.0","id":4,"result":5}\n')
  const refusals = await receiver.refused(3)
  assert.deepEqual(
    refusals.map(({ id }) => id),
    [1, 3, 4],
  )
  assert.deepEqual(
    receiver.failures.map(({ id, reason }) => [id, (reason as McpError).code]),
    [['two', 'TooLarge']],
  )
  assert.ok(refusals.every(({ error }) => error instanceof Malformed && error.isResponse))
})

test('StdioChannel: at the end of the input the last answers leave before the channel closes', async () => {
  const { channel, receiver, input, output } = opened()
  let finish = (): void => {}
  receiver.drained = new Promise((resolve) => {
    finish = resolve
  })
  input.end(JSON.stringify(ping))
  await receiver.received(1)
  assert.deepEqual(receiver.reasons, [])
  void channel.send({ jsonrpc: '2.0', id: 0, result: {} })
  finish()
  await channel.finished
  assert.deepEqual(receiver.reasons, [undefined])
  assert.equal(String(output.read()), line({ jsonrpc: '2.0', id: 0, result: {} }))
})

test('StdioChannel: answers that never come do not keep the channel open', async () => {
  const { channel, receiver, input } = opened({ drainMs: 1 })
  receiver.drained = new Promise(() => {})
  input.end()
  await channel.finished
  assert.deepEqual(receiver.reasons, [undefined])
})

test('StdioChannel: a reader that never reads does not keep the channel open', async () => {
  const { channel, receiver } = opened({ drainMs: 1 })
  for (let id = 0; id < 100; id++) void channel.send({ ...ping, id, params: { long: 'x'.repeat(10_000) } })
  await soon(channel.close(), 'the channel to close')
  assert.deepEqual(receiver.reasons, [undefined])
  await assert.rejects(async () => channel.send(ping), { code: 'NotSent' })
})

test('StdioChannel: input that breaks off ends the conversation', async () => {
  const { receiver, input } = opened()
  input.destroy(new Error('ECONNRESET'))
  assert.equal(await soon(receiver.whenClosed(), 'the end'), undefined)
  assert.deepEqual(receiver.reasons, [undefined])
})

test('StdioChannel: closing twice is harmless, and is told once', async () => {
  const { channel, receiver, input } = opened()
  await Promise.all([channel.close(), channel.close(), channel.end()])
  input.destroy()
  await channel.close()
  assert.deepEqual(receiver.reasons, [undefined])
})

test('StdioChannel: nothing arrives once it is closed', async () => {
  const { channel, receiver, input } = opened()
  receiver.message = (message) => {
    receiver.messages.push(message)
    void channel.close()
  }
  input.write(line(ping))
  await channel.finished
  input.emit('data', Buffer.from(line(ping)))
  assert.equal(receiver.messages.length, 1)
})

test('StdioChannel: a message after closing was not sent', async () => {
  const { channel } = opened()
  const closing = channel.close()
  await assert.rejects(
    async () => channel.send(ping),
    (error) => error instanceof McpError && error.code === 'NotSent' && error.outcome === 'NotSent',
  )
  await closing
})

test('StdioChannel: a message that JSON cannot express was not sent', async () => {
  const { channel } = opened()
  const sent = channel.send({ ...ping, params: { big: 1n } })
  await assert.rejects(
    async () => sent,
    (error) => error instanceof McpError && error.outcome === 'NotSent',
  )
})

test('StdioChannel: one that is closed already says so when it is opened', async () => {
  const channel = new StdioChannel({ input: new PassThrough(), output: new PassThrough() }, { role: 'server' })
  const receiver = new Recorder()
  await channel.close()
  channel.open(receiver)
  assert.deepEqual(receiver.reasons, [undefined])
})

test('StdioChannel: one whose input was destroyed before says so when it is opened', async () => {
  const input = new PassThrough().destroy()
  const channel = new StdioChannel({ input, output: new PassThrough() }, { role: 'server' })
  await new Promise((resolve) => input.once('close', resolve))
  const receiver = new Recorder()
  channel.open(receiver)
  assert.equal(await soon(receiver.whenClosed(), 'the end'), undefined)
  assert.deepEqual(receiver.reasons, [undefined])
})

const slow = { maxQueuedChars: 100_000 }
const answer = (id: number) => ({ jsonrpc: '2.0', id, result: { text: 'x'.repeat(50_000) } }) as const

test('StdioChannel: a server whose answers are not read stops reading, and loses none of them', async () => {
  const { channel, receiver, input, output } = opened({ limits: slow })
  for (let id = 0; id < 10; id++) void channel.send(answer(id))
  assert.ok(input.isPaused())
  input.write(line(ping))
  await assert.rejects(async () => channel.send(ping), { code: 'NotSent' })
  void channel.send({ jsonrpc: '2.0', method: 'notifications/message' }, { droppable: true })
  void channel.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
  await new Promise(setImmediate)
  assert.deepEqual(receiver.messages, [])
  let read = ''
  output.setEncoding('utf8').on('data', (text) => {
    read += text
  })
  assert.deepEqual(await receiver.received(1), [ping])
  const sent = read.split('\n').slice(0, -1)
  assert.deepEqual(
    sent.map((text) => JSON.parse(text)).map(({ id, method }) => id ?? method),
    [...Array.from({ length: 10 }, (_, id) => id), 'notifications/tools/list_changed'],
  )
})

test('StdioChannel: a client whose answers are not read reads on, and loses none of them', async () => {
  const { channel, receiver, input, output } = opened({ limits: slow, role: 'client' })
  for (let id = 0; id < 10; id++) void channel.send(answer(id))
  await assert.rejects(async () => channel.send(ping), { code: 'NotSent' })
  await assert.rejects(async () => channel.send({ jsonrpc: '2.0', method: 'notifications/cancelled' }), {
    code: 'NotSent',
  })
  input.write(line(ping))
  assert.deepEqual(await receiver.received(1), [ping])
  const closed = channel.close()
  assert.equal((await output.setEncoding('utf8').toArray()).join('').split('\n').length, 11)
  await closed
})
