import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FramingError, frame, MessageFramer } from './framing.ts'

const message = (value: unknown) => ({ message: value })

test('MessageFramer: messages arrive whole, however their bytes are cut', () => {
  const sent = [{ id: 1, text: 'wörld' }, { id: 2 }, { id: 3, many: 'x'.repeat(300) }]
  const bytes = Buffer.concat(sent.map(frame))
  for (const size of [1, 2, 7, 64, bytes.length]) {
    const framer = new MessageFramer(10_000)
    const got = []
    for (let at = 0; at < bytes.length; at += size) got.push(...framer.push(bytes.subarray(at, at + size)))
    assert.deepEqual(got, sent.map(message), `in pieces of ${size}`)
  }
})

test('MessageFramer: a message over the limit is dropped, the next one is read, and the request it answers is known', () => {
  const large = { jsonrpc: '2.0', id: 7, result: 'x'.repeat(5_000) }
  const reversed = Buffer.from(`{"result":"${'y'.repeat(5_000)}","id":8,"jsonrpc":"2.0"}`)
  const asking = { jsonrpc: '2.0', id: 9, method: 'window/showMessageRequest', params: 'z'.repeat(5_000) }
  const framer = new MessageFramer(1_000)
  const bytes = Buffer.concat([
    frame(large),
    Buffer.from(`Content-Type: x\r\nContent-Length: ${reversed.length}\r\n\r\n`),
    reversed,
    frame(asking),
    frame({ id: 10 }),
  ])
  const got = [...framer.push(bytes.subarray(0, 3_000)), ...framer.push(bytes.subarray(3_000))]
  assert.deepEqual(
    got.map((one) => ('message' in one ? one.message : one.id)),
    [7, 8, undefined, { id: 10 }],
  )
})

test('MessageFramer: output that is no message is an error that quotes it', () => {
  const wrong = (text: string) => () => new MessageFramer(100).push(Buffer.from(text))
  assert.throws(wrong('Welcome to the server\n'), /no message begins with "Welcome to the server/)
  assert.throws(wrong(`Welcome\n${frame({ id: 1 })}`), /no message begins with "Welcome/)
  assert.throws(wrong('Content-Type: x\r\n\r\n{}'), new FramingError('a header has no Content-Length'))
  assert.throws(wrong('Content-Length: 3\r\n\r\n{x}'), new FramingError('a message is no JSON'))
  assert.throws(wrong(`Content-Length: 3${' '.repeat(5_000)}`), FramingError)
})
