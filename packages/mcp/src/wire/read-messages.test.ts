import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Malformed } from './classify.ts'
import { InvalidRequest, ParseError, RpcError } from './errors.ts'
import { readLimits, readMessages } from './read-messages.ts'

const ping = { jsonrpc: '2.0', id: 0, method: 'ping' }

test('readMessages: one message comes back as it is', () => {
  assert.deepEqual(readMessages(JSON.stringify(ping)), ping)
})

test('readMessages: a text that is no JSON comes back as a parse error', () => {
  for (const text of ['', 'hello', '{"jsonrpc":"2.0",', '{"a":1,"a":2}', '['.repeat(500_000)]) {
    const reading = readMessages(text)
    assert.ok(reading instanceof RpcError)
    assert.equal(reading.code, ParseError)
  }
})

test('readMessages: JSON that is no message comes back malformed, with its id when that can be read', () => {
  const reading = readMessages('{"jsonrpc":"2.0","id":7,"method":5}')
  assert.ok(reading instanceof Malformed)
  assert.equal(reading.code, InvalidRequest)
  assert.equal(reading.id, 7)
})

test('readMessages: an id that would come back as another number is none', () => {
  for (const id of ['9007199254740991', '-9007199254740991', '1e3', '0', '"9007199254740993"']) {
    assert.ok('id' in readMessages(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`), id)
  }
  for (const id of ['9007199254740992', '9007199254740993', '-9007199254740993', '1e300', '1e999', '1.5']) {
    for (const rest of ['"method":"ping"', '"result":{}', '"error":{"code":1,"message":""}']) {
      const reading = readMessages(`{"jsonrpc":"2.0","id":${id},${rest}}`)
      assert.ok(reading instanceof Malformed, `${id} with ${rest}`)
      assert.equal(reading.id, undefined)
      assert.match(reading.message, /"id" must be a string or an integer below 2\^53/)
    }
  }
})

test('readMessages: the entries of a batch are judged one by one, nested arrays too', () => {
  const reading = readMessages(JSON.stringify([ping, [ping], 1, { ...ping, id: 1 }]))
  assert.ok(Array.isArray(reading))
  assert.deepEqual(
    reading.map((entry) => (entry instanceof Malformed ? entry.code : entry.id)),
    [0, InvalidRequest, InvalidRequest, 1],
  )
})

test('readMessages: an empty batch is one malformed message', () => {
  assert.ok(readMessages('[]') instanceof Malformed)
})

test('readMessages: a batch of the limit is read, one more is refused as a whole', () => {
  const batch = (length: number): string => JSON.stringify(Array(length).fill(ping))
  assert.equal((readMessages(batch(100)) as readonly unknown[]).length, 100)
  assert.ok(readMessages(batch(101)) instanceof Malformed)
  assert.ok(readMessages(batch(100_000)) instanceof RpcError)
  assert.ok(readMessages(batch(3), { ...readLimits, maxBatchMessages: 2 }) instanceof Malformed)
})

test('readMessages: never throws', () => {
  const lookalike = fc.record(
    { jsonrpc: fc.constantFrom('2.0', 2), id: fc.jsonValue(), method: fc.jsonValue(), result: fc.jsonValue() },
    { requiredKeys: [] },
  )
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    lookalike.map((value) => JSON.stringify(value)),
  )
  fc.assert(fc.property(text, (sample) => assert.doesNotThrow(() => readMessages(sample))))
})
